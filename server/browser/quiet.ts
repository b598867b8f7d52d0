import { z } from 'zod';
import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import type { Activity } from './activity';
import type { TabFrames } from './frames/tab-frames';
import { DocumentGone, kitCall } from './target/world';
import type { IsolatedWorlds } from './target/isolated-worlds';

/** When a document counts as quiet (AC5). */
const QUIET = {
  /** Animation frames without a change after which a page that did nothing is left alone: about 33 ms. */
  frames: 2,
  /** Once it changed: how long it must stay as it is. Milliseconds. */
  quietMs: 100,
  /** How long a watch that began before an action is kept when `settle` is never called. Milliseconds. */
  armedMs: 20_000,
} as const;

/** A document to come to rest: the page's, or that of a frame in another process. */
export interface QuietPlace {
  readonly worlds: IsolatedWorlds;
  readonly activity: Activity;
  readonly frameId: string;
}

/** Starts watching a document, so that later changes are known. Not awaited. */
export function watchDocument(budget: Budget, { worlds, frameId }: Omit<QuietPlace, 'activity'>): void {
  const call = kitCall('quiet', 'arm', { value: QUIET.armedMs });
  // Without it settling is only less exact; whatever is wrong with the page the action itself will meet.
  worlds.use(budget, frameId, (world) => world.call(budget, z.unknown(), call)).catch(() => undefined);
}

/**
 * Waits until neither the document nor the given requests are busy; false when the document never came to rest.
 * A request that has just ended will change something soon.
 */
export async function quietDocument(budget: Budget, place: QuietPlace, requests: readonly string[]): Promise<boolean> {
  const { activity } = place;
  const heard = activity.heard(budget);
  const active = activity.sinceRequestMs() < QUIET.quietMs;
  const still = await stillDocument(budget, place, active);
  await heard;
  const begun = [...new Set([...requests, ...activity.recentRequests()])];
  const pending = begun.some((id) => activity.isPending(id));
  if (!pending && (active || activity.sinceRequestMs() >= QUIET.quietMs)) return still;
  await until(budget, activity, () => activity.navigating || !begun.some((id) => activity.isPending(id)));
  return stillDocument(budget, place, true);
}

/**
 * The same for the frame of another site that was acted in, and for the document it goes to; true as well when it went
 * away. It counts only within the caller's bound: such frames hold advertisements as often as forms.
 */
export async function quietFrame(
  budget: Budget,
  tab: { readonly frames: TabFrames; readonly worlds: IsolatedWorlds },
  frameId: string,
): Promise<boolean> {
  const { frames, worlds } = tab;
  try {
    const activity = frames.targetOf(frameId)?.activity;
    if (!activity) return true;
    if (activity.navigating) await until(budget, activity, () => !activity.navigating);
    const now = frames.targetOf(frameId)?.activity ?? activity;
    return await quietDocument(budget, { worlds, frameId, activity: now }, now.recentRequests());
  } catch (error) {
    if (error instanceof WheelhouseError && (error.code === 'NODE_GONE' || error.code === 'TAB_UNRESPONSIVE'))
      return error.code === 'NODE_GONE';
    throw error;
  }
}

/** Settles when `holds` does, looked at after every change of the page's activity. */
export async function until(budget: Budget, activity: Activity, holds: () => boolean): Promise<void> {
  while (!holds()) await budget.race(activity.changed());
}

async function stillDocument(budget: Budget, { worlds, frameId }: QuietPlace, active: boolean): Promise<boolean> {
  const { frames, quietMs } = QUIET;
  const wish = { frames, quietMs, active, maxMs: budget.remainingMs() };
  try {
    return await worlds.use(budget, frameId, (world) =>
      world.call(budget, z.boolean(), kitCall('quiet', 'calm', { value: wish })),
    );
  } catch (error) {
    // The document was replaced while it was watched: the caller sees that by its loader and waits for the new one.
    if (error instanceof DocumentGone) return true;
    throw error;
  }
}
