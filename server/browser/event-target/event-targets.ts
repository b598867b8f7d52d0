import { BoundedMap } from '@/lib/async/bounded-map';
import { z } from 'zod';
import type { Point } from '@/lib/actions/kinds';
import type { Budget } from '@/lib/budget/budget';
import type { TargetElement, Locator } from '@/lib/input-recorder/target-element';
import { askedRole } from '@/lib/snapshot/roles';
import { soundsSecret } from '@/lib/snapshot/secret';
import { cleanText } from '@/lib/text/clean';
import { describeElement, identify } from '../target/describe';
import type { ElementInfo, PageElement } from '../target/element';
import { inFocusedDocument } from '../target/focused-world';
import type { EventTargetFacts } from '../target/page/event-target';
import type { TargetTab } from '../target/ports';
import { injectedCall, type InjectedCall, type PageWorld } from '../target/world';
import { inDocumentAt } from '../target/world-at';
import { locatorOf, type LocatorTab } from './locator';

const witnessedSchema: z.ZodType<EventTargetFacts> = z.object({
  mark: z.number(),
  tag: z.string(),
  label: z.string(),
  selector: z.string(),
  secret: z.boolean(),
  editable: z.boolean(),
  empty: z.boolean(),
  page: z.boolean(),
  alone: z.boolean(),
  framed: z.boolean(),
});

const MAX_NAME = 200;

/** Most fields whose names are remembered, so that a run of keys asks accessibility once. */
const MOST_KNOWN = 20;

/**
 * Tells which element a person's raw input went to (CO11). Runs in parallel to the input, and only reads. Everything it
 * returns is made by the page, cleaned and bounded. Sources: DOM.describeNode, Accessibility.getPartialAXTree.
 */
export class EventTargets {
  readonly #known = new BoundedMap<string, ElementInfo>(MOST_KNOWN);

  constructor(private readonly tab: TargetTab & LocatorTab) {}

  /** The control at a point of the tab's viewport, else the innermost element there. Throws what ends the budget. */
  async at(budget: Budget, point: Point): Promise<TargetElement | undefined> {
    // One call, sent at once, gets a handle on the element: the press that follows may remove it.
    const look = (world: PageWorld, at: Point): Promise<TargetElement | undefined> =>
      this.#picked(budget, world, injectedCall('reach', 'controlAt', { value: at }));
    const seen = await this.tab.worlds.use(budget, this.tab.page.document.frameId, (world) => look(world, point));
    return seen?.role === 'iframe' ? inDocumentAt(budget, this.tab, point, look) : seen;
  }

  /** The element that has the keyboard focus. Throws what ends the budget. */
  focus(budget: Budget): Promise<TargetElement | undefined> {
    const { worlds, page } = this.tab;
    return inFocusedDocument(budget, worlds, page.document.frameId, async (world) => {
      const eventTarget = await world.call(budget, witnessedSchema.nullable(), injectedCall('eventTargets', 'focused'));
      if (!eventTarget) return undefined;
      const about = eventTarget.page ? NOBODY : this.#known.get(markOf(world, eventTarget));
      if (about) return this.#seen(world, eventTarget, about);
      return this.#picked(budget, world, injectedCall('focus', 'element'));
    });
  }

  async #picked(budget: Budget, world: PageWorld, call: InjectedCall): Promise<TargetElement | undefined> {
    const objectId = await world.pick(budget, call);
    return objectId === undefined ? undefined : this.#describe(budget, world, objectId);
  }

  async #describe(budget: Budget, world: PageWorld, objectId: string): Promise<TargetElement> {
    const named = describeElement(budget, world, this.tab.refs, objectId).catch(() => undefined);
    try {
      const eventTarget = await world.call(budget, witnessedSchema, injectedCall('eventTargets', 'of', { objectId }));
      const inner = eventTarget.framed
        ? await this.#inFrame(budget, world, objectId).catch(() => undefined)
        : undefined;
      if (inner) return inner;
      const about = (await this.#named(budget, world, objectId, await named)) ?? {
        role: ROLES.get(eventTarget.tag) ?? eventTarget.tag,
        name: cleanText(eventTarget.label, MAX_NAME),
      };
      this.#remember(markOf(world, eventTarget), about);
      return this.#seen(world, eventTarget, about);
    } finally {
      world.release(objectId);
    }
  }

  /**
   * What accessibility said of the element; undefined when the click removed it first: accessibility then refuses, or
   * answers without a name, and the author's label is used.
   */
  async #named(
    budget: Budget,
    world: PageWorld,
    objectId: string,
    named: ElementInfo | undefined,
  ): Promise<ElementInfo | undefined> {
    if (named?.name !== '') return named;
    const removed = await world.call(budget, z.boolean(), injectedCall('eventTargets', 'isRemoved', { objectId }));
    return removed ? undefined : named;
  }

  /** The same element in the world of its own frame, whose accessibility names it. Undefined when the frame is gone. */
  async #inFrame(budget: Budget, world: PageWorld, objectId: string): Promise<TargetElement | undefined> {
    const owner = await world.pick(budget, injectedCall('eventTargets', 'frameOf', { objectId }));
    if (owner === undefined) return undefined;
    const [{ node }, { backendNodeId }] = await Promise.all([
      budget.race(world.session.send('DOM.describeNode', { objectId: owner })),
      identify(budget, world, this.tab.refs, objectId),
    ]).finally(() => world.release(owner));
    if (node.frameId === undefined || node.frameId === world.frameId) return undefined;
    return this.tab.worlds.use(budget, node.frameId, async (inner) =>
      this.#describe(budget, inner, await inner.resolve(budget, backendNodeId)),
    );
  }

  #seen(world: PageWorld, eventTarget: EventTargetFacts, about: ElementInfo): TargetElement {
    const { secret, editable, empty, page } = eventTarget;
    const role = page ? '' : askedRole(about.role);
    const name = page ? '' : about.name;
    const locator = page ? undefined : locatorOf(this.tab, world.frameId, eventTarget, { ...about, role });
    return {
      mark: markOf(world, eventTarget),
      role,
      name,
      ...(about.ref !== undefined && { ref: about.ref }),
      locator,
      secret: secret || soundsSecret(name),
      editable,
      empty,
    };
  }

  #remember(mark: string, about: ElementInfo): void {
    this.#known.set(mark, about);
  }
}

/** A locator with which a later action finds an element that is held now. */
export async function locatorTo(
  budget: Budget,
  tab: LocatorTab,
  { world, objectId, about }: PageElement,
): Promise<Locator | undefined> {
  const eventTarget = await world.call(budget, witnessedSchema, injectedCall('eventTargets', 'of', { objectId }));
  return locatorOf(tab, world.frameId, eventTarget, { ...about, role: askedRole(about.role) });
}

/** The accessibility roles of plain elements. */
const ROLES: ReadonlyMap<string, string> = new Map([
  ['a', 'link'],
  ['input', 'textbox'],
  ['textarea', 'textbox'],
  ['select', 'combobox'],
  ['img', 'image'],
]);

/** The page itself gets no name. */
const NOBODY: ElementInfo = { role: '', name: '' };

/**
 * Identifies an element across documents: a world belongs to one document, and its number is unique in the process of
 * its frame.
 */
function markOf(world: PageWorld, { mark }: EventTargetFacts): string {
  return `${world.frameId} ${world.loaderId} ${world.contextId} ${mark}`;
}
