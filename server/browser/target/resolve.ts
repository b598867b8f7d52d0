import { z } from 'zod';
import type { NodeTarget, Target } from '@/lib/actions/shared';
import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import { describeElement } from './describe';
import { frameOf } from './frame-of';
import { PageElement } from './element';
import type { RefEntry } from '../refs';
import type { FrameRoleQuery, TargetTab } from './ports';
import { elementWaitMs } from './element-wait';
import { DocumentGone, injectedCall, type PageWorld } from './world';

/** A target that names an element, as opposed to a bare point. */
export type ElementTarget = Exclude<Target, { by: 'point' }>;

/**
 * Finds the element that a target names in the page as it is now (AC2, SN4). Throws REF_UNKNOWN, REF_STALE_DOCUMENT,
 * NODE_GONE, AMBIGUOUS, BAD_REQUEST (invalid selector), TAB_UNRESPONSIVE (its frame hangs).
 */
export async function resolveTarget(budget: Budget, tab: TargetTab, target: ElementTarget): Promise<PageElement> {
  switch (target.by) {
    case 'ref':
      return byRef(budget, tab, target.ref);
    case 'role':
      return byRole(budget, tab, { ...target, frameId: await frameIdOf(budget, tab, target.frame) });
    case 'selector':
      return bySelector(budget, tab, target);
    case 'node':
      return byNode(budget, tab, target.node);
  }
}

/**
 * Looks the same target up again after its element left the page. A ref is looked up by the role and name of its
 * element (SN4).
 */
export async function resolveAgain(budget: Budget, tab: TargetTab, target: ElementTarget): Promise<PageElement> {
  if (target.by !== 'ref') return resolveTarget(budget, tab, target);
  const { ref, role, name, nth, frameId } = tab.refs.lookup(target.ref);
  const element = await byRole(budget, tab, { role, name, nth, frameId });
  return new PageElement(element.world, element.objectId, { ...element.about, ref }, 'role', element.text);
}

async function byRef(budget: Budget, tab: TargetTab, ref: string): Promise<PageElement> {
  try {
    return await held(budget, tab, tab.refs.lookup(ref), 'node');
  } catch (error) {
    if (!(error instanceof WheelhouseError) || error.code !== 'NODE_GONE') throw error;
    return resolveAgain(budget, tab, { by: 'ref', ref });
  }
}

async function byRole(
  budget: Budget,
  tab: TargetTab,
  { role, name, nth, frameId }: FrameRoleQuery,
): Promise<PageElement> {
  return held(budget, tab, await tab.snapshots.findByRole(budget, { role, name, nth, frameId }), 'role');
}

async function byNode(
  budget: Budget,
  tab: TargetTab,
  { loaderId, backendNodeId, target = tab.targetId }: NodeTarget,
): Promise<PageElement> {
  const shown = tab.frames.list().filter((each) => each.targetId === target);
  const frames = loaderId === undefined ? shown : shown.filter((each) => each.loaderId === loaderId);
  if (frames.length === 0)
    throw new WheelhouseError('REF_STALE_DOCUMENT', 'That node belongs to a page that this tab does not show.', {
      details: { ...(loaderId === undefined ? {} : { loaderId }), target },
    });
  for (const frame of frames) {
    const element = await nodeIn(budget, tab, frame, backendNodeId);
    if (element) return element;
  }
  throw new WheelhouseError('NODE_GONE', 'That element is no longer in the page.');
}

const OTHER_DOCUMENT = 'That element is in another document.';

/** The element with this node id in this document; undefined where the document has no such node. */
async function nodeIn(
  budget: Budget,
  tab: TargetTab,
  frame: Pick<RefEntry, 'frameId' | 'loaderId'>,
  backendNodeId: number,
): Promise<PageElement | undefined> {
  try {
    return await inDocument(budget, tab, frame, async (world) => {
      const objectId = await world.resolve(budget, backendNodeId);
      if (!(await world.owns(budget, objectId))) throw new WheelhouseError('NODE_GONE', OTHER_DOCUMENT);
      return new PageElement(world, objectId, await describeElement(budget, world, tab.refs, objectId), 'node');
    });
  } catch (error) {
    if (error instanceof WheelhouseError && error.code === 'NODE_GONE') return undefined;
    throw error;
  }
}

function frameIdOf(budget: Budget, tab: TargetTab, frame: string | undefined): Promise<string> | undefined {
  return frame === undefined ? undefined : frameOf(budget, tab, frame);
}

function held(budget: Budget, tab: TargetTab, entry: RefEntry, via: 'node' | 'role'): Promise<PageElement> {
  const { ref, role, name, backendNodeId } = entry;
  return inDocument(budget, tab, entry, async (world) => {
    const objectId = await world.resolve(budget, backendNodeId);
    if (role !== 'text') return new PageElement(world, objectId, { ref, role, name }, via);
    const holder = await world.pick(budget, injectedCall('boxes', 'holderOf', { objectId }));
    if (holder === undefined) throw new WheelhouseError('NODE_GONE', 'That text is no longer in the page.');
    return new PageElement(world, holder, { ref, role, name }, via, objectId);
  });
}

async function inDocument(
  budget: Budget,
  tab: TargetTab,
  { frameId, loaderId }: Pick<RefEntry, 'frameId' | 'loaderId'>,
  work: (world: PageWorld) => Promise<PageElement>,
): Promise<PageElement> {
  try {
    return await work(await tab.worlds.of(budget, frameId, loaderId));
  } catch (error) {
    if (!(error instanceof DocumentGone)) throw error;
    tab.worlds.forget(frameId);
    throw new WheelhouseError('REF_STALE_DOCUMENT', 'The page was replaced while the element was looked up.', {
      cause: error,
    });
  }
}

const found = z.union([z.object({ count: z.number() }), z.object({ error: z.string() })]);

async function bySelector(
  budget: Budget,
  tab: TargetTab,
  { selector, nth, frame }: Extract<Target, { by: 'selector' }>,
): Promise<PageElement> {
  const frameId = (await frameIdOf(budget, tab, frame)) ?? tab.page.document.frameId;
  return tab.worlds.use(budget, frameId, async (world) => {
    const answer = await world.call(
      budget,
      found,
      injectedCall('search', 'find', { value: selector }, { value: elementWaitMs(budget) }),
    );
    if ('error' in answer) throw notASelector(selector);
    if (answer.count > 1 && nth === undefined) throw ambiguous(selector, answer.count);
    if (answer.count <= (nth ?? 0)) throw noneFits(selector, answer.count, nth);
    const objectId = await world.pick(budget, injectedCall('search', 'take', { value: nth ?? 0 }));
    if (objectId === undefined) throw noneFits(selector, answer.count, nth);
    const about = await describeElement(budget, world, tab.refs, objectId);
    return new PageElement(world, objectId, about, 'selector');
  });
}

function notASelector(selector: string): WheelhouseError {
  return new WheelhouseError('BAD_REQUEST', `"selector" is not a CSS selector: ${selector.slice(0, 200)}`, {
    details: { fields: [{ field: 'selector', problem: 'is not a CSS selector' }] },
  });
}

function ambiguous(selector: string, count: number): WheelhouseError {
  return new WheelhouseError('AMBIGUOUS', `${count} elements fit the selector ${selector.slice(0, 200)}.`, {
    details: { count },
  });
}

function noneFits(selector: string, count: number, nth: number | undefined): WheelhouseError {
  const which =
    nth === undefined || count === 0
      ? 'No element fits'
      : `Only ${count} elements fit, so there is no number ${nth} of`;
  return new WheelhouseError('NODE_GONE', `${which} the selector ${selector.slice(0, 200)}.`, {
    hint: 'Look at a new snapshot: correct the selector, or use a ref from it.',
    details: { count },
  });
}
