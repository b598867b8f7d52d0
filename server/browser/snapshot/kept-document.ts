import { z } from 'zod';
import type { Budget } from '@/lib/budget/budget';
import type { DomDocument } from '@/lib/snapshot/dom-document';
import { domOrder, type DomOrder } from '@/lib/snapshot/dom-order';
import type { DomFact } from '@/lib/snapshot/facts';
import type { CdpSession } from '@/server/cdp/session';
import type { FrameInfo } from './frames';
import { checkSource } from './page/watch-source';
import type { DocumentMark } from './weigh-page';

const checkedSchema = z.union([z.object({ lost: z.string() }), z.object({ here: z.array(z.int()) })]);
export type Checked = z.infer<typeof checkedSchema>;

/** One document as it was read, with the numbers under which server and page know its elements. */
export class KeptDocument {
  /** How it looked when it was read: told to the page once. */
  #news: Pick<DomOrder, 'looks' | 'strays'> | undefined;

  private constructor(
    readonly frame: FrameInfo,
    private readonly order: Pick<DomOrder, 'ids' | 'laidOut'>,
    news: Pick<DomOrder, 'looks' | 'strays'>,
  ) {
    this.#news = news;
  }

  /** Undefined when the page's own view of the document and the DOM pass differ, or when scripts cannot see all of it. */
  static of(frame: FrameInfo, dom: DomDocument, mark: DocumentMark): KeptDocument | undefined {
    const order = domOrder(dom);
    return order.closed || order.ids.length !== mark.count || order.print !== mark.print ? undefined : new KeptDocument(frame, order, order);
  }

  /** What its watch says. Source: Runtime.evaluate in our own world. */
  async check(budget: Budget, session: CdpSession, contextId: number): Promise<Checked> {
    const expression = checkSource({ looks: this.#news?.looks, strays: this.#news?.strays });
    const { result, exceptionDetails } = await budget.race(session.send('Runtime.evaluate', { expression, contextId, returnByValue: true }));
    if (exceptionDetails) return { lost: 'it could not be watched' };
    this.#news = undefined;
    return checkedSchema.parse(result.value);
  }

  /** Marks what is out of view. `away`: the whole document is. Gives whether any mark changed. */
  place(here: readonly number[], away: boolean, facts: Map<number, DomFact>): boolean {
    const inView = new Set(here);
    let changed = false;
    this.order.ids.forEach((id, key) => {
      const fact = facts.get(id);
      const offscreen = away || (this.order.laidOut.has(id) && !inView.has(key));
      if (!fact || fact.offscreen === offscreen) return;
      facts.set(id, { ...fact, offscreen });
      changed = true;
    });
    return changed;
  }
}
