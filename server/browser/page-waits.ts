import { z } from 'zod';
import type { WaitCondition } from '@/lib/actions/kinds';
import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import type { PageElement } from './target/element';
import type { WaitResult } from './target/page/waits';
import { resolveAgain, resolveTarget, type ElementTarget } from './target/resolve';
import type { TargetTab } from './target/ports';
import { DocumentGone, injectedCall, type InjectedCall } from './target/world';

const waitedSchema: z.ZodType<WaitResult> = z.enum(['holds', 'over', 'gone']);
type State = NonNullable<WaitCondition['state']>;

/** The pause before a removed element is searched again, milliseconds. */
const SEARCH_AGAIN_MS = 100;
/**
 * The most frames in which one round searches for text, and the round's length in milliseconds; each round lists the
 * frames anew.
 */
const MOST_FRAMES = 100;
const ROUND_MS = 1_000;
/** The part of a round reserved for its answers, milliseconds. */
const ROUND_RESERVE_MS = 300;

/**
 * Waits inside the page, in an isolated world that the page can neither see nor fake. Continues
 * in the next document after a navigation. Throws what ends the budget, BAD_REQUEST for an invalid selector.
 */
export async function untilPage(budget: Budget, tab: TargetTab, condition: WaitCondition): Promise<void> {
  for (;;) {
    try {
      const call = callOf(condition, budget.remainingMs());
      if (!call) throw new WheelhouseError('BAD_REQUEST', 'This condition has nothing to wait for.');
      const holds =
        condition.text === undefined && condition.textGone === undefined
          ? await inFrame(budget, tab, tab.page.document.frameId, call)
          : await inFrames(budget, tab, condition);
      if (holds) return;
    } catch (error) {
      budget.check();
      if (error instanceof WheelhouseError && error.code === 'INTERNAL' && condition.selector !== undefined)
        throw notASelector(error);
      if (!(error instanceof DocumentGone)) throw error;
    }
    await budget.pause(SEARCH_AGAIN_MS);
  }
}

async function inFrame(budget: Budget, tab: TargetTab, frameId: string, call: InjectedCall): Promise<boolean> {
  return (await tab.worlds.use(budget, frameId, (world) => world.call(budget, waitedSchema, call))) === 'holds';
}

/**
 * Searches all frames in all processes; text to be gone must be gone from all. Works in rounds, because frames come and
 * go. A hung frame does not count.
 */
async function inFrames(budget: Budget, tab: TargetTab, condition: WaitCondition): Promise<boolean> {
  const round = budget.child(ROUND_MS);
  const call = callOf(condition, ROUND_MS - ROUND_RESERVE_MS);
  const frames = tab.frames
    .list()
    .filter(({ sessions, frameId }) => sessions && tab.frames.targetOf(frameId)?.hung !== true);
  const asked = frames.slice(0, MOST_FRAMES).map(async ({ frameId, parentFrameId }) => {
    if (!call) return false;
    try {
      return await round.race(inFrame(round, tab, frameId, call));
    } catch (error) {
      if (parentFrameId === undefined && !round.over) throw error;
      // The frame did not answer in time or went away; the next round asks again.
      return false;
    }
  });
  try {
    return condition.textGone === undefined ? await firstTrue(asked) : (await Promise.all(asked)).every(Boolean);
  } finally {
    for (const answer of asked) answer.catch(() => undefined);
    round.dispose();
  }
}

/** Resolves true as soon as one promise does, else false. */
function firstTrue(all: readonly Promise<boolean>[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    for (const one of all) one.then((holds) => holds && resolve(true), reject);
    void Promise.allSettled(all).then(() => resolve(false));
  });
}

/**
 * Waits for one element in any frame. Finds a re-rendered element again by role and name. An element that is gone, also
 * with its page, counts as detached and hidden. Throws REF_UNKNOWN, REF_STALE_DOCUMENT, what ends the budget.
 */
export async function untilElement(budget: Budget, tab: TargetTab, ref: string, state: State): Promise<void> {
  const mayBeGone = state === 'detached' || state === 'hidden';
  let find = (): Promise<PageElement> =>
    resolveTarget(budget, tab, mayBeGone ? sameNode(tab, ref) : { by: 'ref', ref });
  for (;;) {
    try {
      const waited = await askElement(budget, await find(), state);
      if (waited === 'holds') return;
    } catch (error) {
      budget.check();
      if (!isGone(error)) throw error;
      if (mayBeGone) return;
      if (error instanceof WheelhouseError && error.code === 'REF_STALE_DOCUMENT') throw error;
    }
    find = () => resolveAgain(budget, tab, { by: 'ref', ref });
    await budget.pause(SEARCH_AGAIN_MS);
  }
}

async function askElement(budget: Budget, element: PageElement, state: State): Promise<WaitResult> {
  try {
    return await element.ask(
      budget,
      waitedSchema,
      'waits',
      'element',
      { value: state },
      { value: budget.remainingMs() },
    );
  } finally {
    element.release();
  }
}

function sameNode(tab: TargetTab, ref: string): ElementTarget {
  const { loaderId, backendNodeId, targetId, role } = tab.refs.lookup(ref);
  // Text is not an element, so this asks the element that contains it.
  if (role === 'text') return { by: 'ref', ref };
  return { by: 'node', node: { loaderId, backendNodeId, target: targetId } };
}

function isGone(error: unknown): boolean {
  return (
    error instanceof DocumentGone ||
    (error instanceof WheelhouseError && (error.code === 'NODE_GONE' || error.code === 'REF_STALE_DOCUMENT'))
  );
}

function callOf(
  { text, textGone, stable, selector, state = 'visible' }: WaitCondition,
  withinMs: number,
): InjectedCall | undefined {
  const until = { value: withinMs };
  if (text !== undefined) return injectedCall('waits', 'text', { value: text }, { value: false }, until);
  if (textGone !== undefined) return injectedCall('waits', 'text', { value: textGone }, { value: true }, until);
  if (stable !== undefined) return injectedCall('waits', 'still', { value: stable.quietMs }, until);
  return selector === undefined
    ? undefined
    : injectedCall('waits', 'selector', { value: selector }, { value: state }, until);
}

function notASelector(cause: WheelhouseError): WheelhouseError {
  return new WheelhouseError('BAD_REQUEST', '"selector" is not a CSS selector.', {
    details: { fields: [{ field: 'selector', problem: 'is not a CSS selector' }] },
    cause,
  });
}
