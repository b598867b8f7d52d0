import { z } from 'zod';
import type { Point } from '@/lib/actions/kinds';
import type { Budget } from '@/lib/budget/budget';
import type { Seen, Way } from '@/lib/fold/seen';
import { askedRole } from '@/lib/snapshot/roles';
import { soundsSecret } from '@/lib/snapshot/secret';
import { cleanText } from '@/lib/text/clean';
import { describeElement } from '../target/describe';
import { inFocusedWorld } from '../target/focused-world';
import type { Witnessed } from '../target/page/witness';
import type { TargetTab } from '../target/ports';
import { kitCall, type KitCall, type PageWorld } from '../target/world';
import { inDocumentAt } from '../target/world-at';

const witnessedSchema: z.ZodType<Witnessed> = z.object({
  mark: z.number(),
  tag: z.string(),
  label: z.string(),
  selector: z.string(),
  secret: z.boolean(),
  editable: z.boolean(),
  empty: z.boolean(),
  page: z.boolean(),
});

const MAX_NAME = 200;
/** In a name that was cut: it would not be found. */
const CUT = '…(+';
/** Fields whose names are remembered, so that a run of keys asks accessibility once. */
const MOST_KNOWN = 20;

interface About {
  readonly ref?: string;
  readonly role: string;
  readonly name: string;
}

/**
 * Says what a person's raw input went to, beside its path: only reads, writes nothing (CO11). Everything it gives is page-made, cleaned and bounded.
 * Sources: DOM.describeNode, Accessibility.getPartialAXTree.
 */
export class Witness {
  readonly #known = new Map<string, About>();

  constructor(private readonly tab: TargetTab) {}

  /** The control at a point of the tab's viewport, else the plain element there. Throws what ends the budget. */
  async at(budget: Budget, point: Point): Promise<Seen | undefined> {
    // One call, sent at once, takes hold of the element: the press that follows may remove it.
    const look = (world: PageWorld, at: Point): Promise<Seen | undefined> => this.#picked(budget, world, kitCall('reach', 'controlAt', { value: at }));
    const seen = await this.tab.worlds.use(budget, this.tab.page.document.frameId, (world) => look(world, point));
    return seen?.role === 'iframe' ? inDocumentAt(budget, this.tab, point, look) : seen;
  }

  /** What has the keyboard's input. Throws what ends the budget. */
  focus(budget: Budget): Promise<Seen | undefined> {
    const { worlds, page } = this.tab;
    return inFocusedWorld(budget, worlds, page.document.frameId, async (world) => {
      const witnessed = await world.call(budget, witnessedSchema, kitCall('witness', 'focused'));
      const about = witnessed.page ? NOBODY : this.#known.get(markOf(world, witnessed));
      if (about) return this.#seen(world, witnessed, about);
      return this.#picked(budget, world, kitCall('focus', 'element'));
    });
  }

  async #picked(budget: Budget, world: PageWorld, call: KitCall): Promise<Seen | undefined> {
    const objectId = await world.pick(budget, call);
    return objectId === undefined ? undefined : this.#describe(budget, world, objectId);
  }

  async #describe(budget: Budget, world: PageWorld, objectId: string): Promise<Seen> {
    const named = describeElement(budget, world, this.tab.refs, objectId).catch(() => undefined);
    try {
      const witnessed = await world.call(budget, witnessedSchema, kitCall('witness', 'of', { objectId }));
      // It may be gone by the time accessibility is asked: then what its author calls it must do.
      const about = (await named) ?? { role: ROLES.get(witnessed.tag) ?? witnessed.tag, name: cleanText(witnessed.label, MAX_NAME) };
      this.#remember(markOf(world, witnessed), about);
      return this.#seen(world, witnessed, about);
    } finally {
      world.release(objectId);
    }
  }

  #seen(world: PageWorld, witnessed: Witnessed, about: About): Seen {
    const { secret, editable, empty, page } = witnessed;
    const role = page ? '' : askedRole(about.role);
    const name = page ? '' : about.name;
    return { mark: markOf(world, witnessed), role, name, way: page ? undefined : this.#way(world, witnessed, { ...about, role }), secret: secret || soundsSecret(name), editable, empty };
  }

  /** Role and name say most, and are looked for in all frames; what has no name goes by selector, which needs its frame's label. */
  #way({ frameId }: PageWorld, { selector }: Witnessed, { ref, role, name }: About): Way | undefined {
    const main = frameId === this.tab.page.document.frameId;
    const label = main ? undefined : this.tab.snapshots.labelOf(frameId);
    const frame = label === undefined ? {} : { frame: label };
    const nth = ref === undefined ? undefined : this.#nth(ref);
    if (name !== '' && !name.includes(CUT)) return { role, name, ...(nth !== undefined && { nth }), ...frame };
    return selector === '' || (!main && label === undefined) ? undefined : { selector, ...frame };
  }

  #nth(ref: string): number | undefined {
    try {
      return this.tab.refs.lookup(ref).nth;
    } catch {
      // Its document was replaced meanwhile.
      return undefined;
    }
  }

  #remember(mark: string, about: About): void {
    this.#known.set(mark, about);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }
}

/** What plain elements are to accessibility. */
const ROLES: ReadonlyMap<string, string> = new Map([['a', 'link'], ['input', 'textbox'], ['textarea', 'textbox'], ['select', 'combobox'], ['img', 'image']]);

/** The page itself is not named. */
const NOBODY: About = { role: '', name: '' };

/** A world is one document's; its number is Chrome's own in the process of its frame. */
function markOf(world: PageWorld, { mark }: Witnessed): string {
  return `${world.frameId} ${world.loaderId} ${world.contextId} ${mark}`;
}
