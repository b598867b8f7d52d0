import { z } from 'zod';
import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import type { Activity } from './activity';
import type { TabFrames } from './frames/tab-frames';
import { DocumentGone, injectedCall } from './target/world';
import type { IsolatedWorlds } from './target/isolated-worlds';

/** The limits after which a document counts as quiet (AC5). */
const QUIET = {
  /** Animation frames without a change after which an unchanged page counts as quiet: about 33 ms. */
  frames: 2,
  /** How long a changed page must stay unchanged. Milliseconds. */
  quietMs: 100,
  /** How long a watch lives when `settle` is never called. Milliseconds. */
  armedMs: 20_000,
} as const;

/** A document to wait for: the page's, or that of an out-of-process frame. */
export interface QuietPlace {
  readonly worlds: IsolatedWorlds;
  readonly activity: Activity;
  readonly frameId: string;
}

/** Starts recording a document's changes. Callers do not await it. */
export function watchDocument(budget: Budget, { worlds, frameId }: Omit<QuietPlace, 'activity'>): void {
  const call = injectedCall('quiet', 'arm', { value: QUIET.armedMs });
  // Without the watch settling is only less exact; the action reports any fault of the page itself.
  worlds.use(budget, frameId, (world) => world.call(budget, z.unknown(), call)).catch(() => undefined);
}

/**
 * Waits until the document and the given requests are done; false when the document never became quiet. Waits on after
 * a request that just ended, because its result changes the page soon.
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
 * Like `quietDocument`, for a cross-site frame that was acted in and the document it navigates to. True also when the
 * frame went away. The caller bounds it, because such frames hold advertisements as often as forms.
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

/** Settles when `holds` returns true; checks after every change of activity. */
export async function until(budget: Budget, activity: Activity, holds: () => boolean): Promise<void> {
  while (!holds()) await budget.race(activity.changed());
}

async function stillDocument(budget: Budget, { worlds, frameId }: QuietPlace, active: boolean): Promise<boolean> {
  const { frames, quietMs } = QUIET;
  const options = { frames, quietMs, active, maxMs: budget.remainingMs() };
  try {
    return await worlds.use(budget, frameId, (world) =>
      world.call(budget, z.boolean(), injectedCall('quiet', 'calm', { value: options })),
    );
  } catch (error) {
    // A new document replaced the watched one; the caller sees its loader id and waits for it.
    if (error instanceof DocumentGone) return true;
    throw error;
  }
}
