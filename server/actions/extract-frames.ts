import type { Budget } from '@/lib/budget/budget';
import { cleanText } from '@/lib/text/clean';
import { rectSchema } from '@/server/browser/target/probed';
import { kitCall, type PageWorld } from '@/server/browser/target/world';
import type { ActionContext } from './context';

/** Frames that are read beside the page, and what all of them may take of the caller's time. */
const LIMITS = { frames: 20, share: 0.5, mostMs: 3_000 } as const;

/** What one subframe says. */
export interface FrameRead<T> {
  /** As a snapshot labels it, once one did. */
  readonly frame?: string;
  readonly url: string;
  readonly found: T;
}

export interface FramesRead<T> {
  readonly read: readonly FrameRead<T>[];
  /** Frames in the page that could not be read in time, or are too many. */
  readonly left: number;
}

/**
 * Reads all subframes of the page that are shown, of whatever process and at any depth, at once; one that hangs costs
 * only itself. Throws what ends the budget.
 */
export async function readFrames<T>(
  { tab, budget }: Pick<ActionContext, 'tab' | 'budget'>,
  read: (budget: Budget, world: PageWorld) => Promise<T>,
): Promise<FramesRead<T>> {
  const frames = tab.frames.list().slice(1);
  const patience = budget.child(Math.min(LIMITS.mostMs, budget.remainingMs() * LIMITS.share));
  const one = async (frameId: string): Promise<T | 'away' | undefined> => {
    try {
      return await patience.race(
        tab.worlds.use(patience, frameId, async (world) =>
          (await isShown(patience, world)) ? read(patience, world) : ('away' as const),
        ),
      );
    } catch {
      return undefined;
    }
  };
  try {
    const answers = await Promise.all(
      frames.slice(0, LIMITS.frames).map(async ({ frameId, url }) => ({ frameId, url, found: await one(frameId) })),
    );
    budget.check();
    const found = answers.flatMap(({ frameId, url, found: said }): FrameRead<T>[] => {
      const label = tab.snapshots.labelOf(frameId);
      return said === undefined || said === 'away'
        ? []
        : [{ ...(label === undefined ? {} : { frame: label }), url: cleanText(url, 2_048), found: said }];
    });
    return { read: found, left: frames.length - answers.filter(({ found: said }) => said !== undefined).length };
  } finally {
    patience.dispose();
  }
}

/** A frame that is not rendered has no room. */
async function isShown(budget: Budget, world: PageWorld): Promise<boolean> {
  const { width, height } = await world.call(budget, rectSchema, kitCall('boxes', 'viewport'));
  return width > 1 && height > 1;
}
