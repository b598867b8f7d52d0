import type { Budget } from '@/lib/budget/budget';
import { ariaAttributes } from '@/lib/snapshot/aria-attributes';
import type { CdpSession } from '@/server/cdp/session';
import type { DescribedNode } from './in-view-walk';
import { FLAGS } from './page/in-view';

/**
 * Limits: custom elements that are asked, elements of a page on which they are, milliseconds, and share of the caller's
 * time. With the first question Chrome computes accessibility for the whole document on the page's own thread: Chromium
 * 156 took 0.4 s for 20 000 elements, 0.5 for 30 000, 1.1 for 40 000, 4.3 for 60 000 and 18 for 100 000 on a busy
 * machine; the next questions take 1 ms.
 */
const LIMITS = { asked: 100, pageElements: 40_000, ms: 5_000, share: 0.3 } as const;

export interface SpokenAttributes {
  /** The attributes that custom elements set, by node id. */
  readonly said: ReadonlyMap<number, ReadonlyMap<string, string>>;
  /** Number of custom elements that were not asked. */
  readonly unasked: number;
}

/**
 * Reads the attributes that visible custom elements set by `ElementInternals` (SN1). CDP:
 * `Accessibility.getPartialAXTree`. Throws what ended the budget or the session.
 */
export async function readInternals(
  budget: Budget,
  session: CdpSession,
  nodes: readonly DescribedNode[],
  page: { readonly elements: number; readonly patienceMs: number },
): Promise<SpokenAttributes> {
  const custom = nodes.flatMap(({ node, backendNodeId }) =>
    (node.f & FLAGS.custom) === 0 ? [] : (backendNodeId ?? []),
  );
  const asked = page.elements <= LIMITS.pageElements ? custom.slice(0, LIMITS.asked) : [];
  if (asked.length === 0) return { said: new Map(), unasked: custom.length };
  const patience = budget.child(Math.min(LIMITS.ms, page.patienceMs * LIMITS.share));
  try {
    const answers = await patience.race(
      Promise.all(
        asked.map((backendNodeId) =>
          session.sendMayFail('Accessibility.getPartialAXTree', { backendNodeId, fetchRelatives: false }),
        ),
      ),
    );
    const said = answers.map((answer) => (answer?.nodes[0] ? ariaAttributes(answer.nodes[0]) : undefined));
    return {
      said: new Map(asked.flatMap((id, index) => (said[index] ? [[id, said[index]] as const] : []))),
      unasked: custom.length - said.filter((one) => one !== undefined).length,
    };
  } catch (error) {
    budget.check();
    if (!patience.over) throw error;
    return { said: new Map(), unasked: custom.length };
  } finally {
    patience.dispose();
  }
}
