import type { Budget } from '@/lib/budget/budget';
import type { Size } from '@/lib/geometry/picture';
import type { CdpSession } from '@/server/cdp/session';
import type { TabFrames } from '../frames/tab-frames';
import { FramePath, type FrameTab, type FramePositions } from '../target/frame-path';

/** The parts of a tab that looking into an out-of-process frame needs. */
export interface VisibleFrameTab extends FrameTab {
  readonly frames: FrameTab['frames'] & Pick<TabFrames, 'targetOf'>;
}

/** An out-of-process frame and its position on the screen at this moment. */
export interface VisibleFrame {
  /** The session on the bulk lane. */
  readonly session: CdpSession;
  readonly path: FramePath;
  readonly places: FramePositions;
  /** The frame's own viewport, CSS pixels. */
  readonly view: Size;
}

/**
 * Runs `look` on one frame; undefined when the frame is not shown, hangs, goes away, or takes too long. Throws what
 * ends the budget.
 */
export async function inVisibleFrame<T>(
  budget: Budget,
  tab: VisibleFrameTab,
  frameId: string,
  look: (inside: VisibleFrame, budget: Budget) => Promise<T>,
): Promise<T | undefined> {
  const target = tab.frames.targetOf(frameId);
  if (!target || target.hung) return undefined;
  return onFramePath(budget, tab, frameId, (path, places, patience) => {
    const [view] = places;
    return view ? look({ session: target.sessions.bulk, path, places, view }, patience) : Promise.resolve(undefined);
  });
}

/** Runs `look` with the path out of a frame of any process. */
export async function onFramePath<T>(
  budget: Budget,
  tab: FrameTab,
  frameId: string,
  look: (path: FramePath, places: FramePositions, budget: Budget) => Promise<T>,
): Promise<T | undefined> {
  const patience = budget.child(frameTimeMs(budget.remainingMs()));
  let path: FramePath | undefined;
  try {
    path = await FramePath.from(patience, tab, frameId);
    const places = await path.measure(patience);
    return places && (await patience.race(look(path, places, patience)));
  } catch {
    budget.check();
    return undefined;
  } finally {
    path?.release();
    patience.dispose();
  }
}

/** The share of the callers' time that one frame may take: a quarter, and two seconds at most. Milliseconds. */
export function frameTimeMs(leftMs: number): number {
  return Math.min(2_000, leftMs / 4);
}
