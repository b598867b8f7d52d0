import { UNPACED_FPS } from './tiers';

/**
 * A rate limit with tolerance and without drift (generic cell rate algorithm): a picture may come up to 30 % of an
 * interval early, and the next one is then due that much later. Times in milliseconds of one monotonic clock.
 */
export interface Pace {
  readonly dueAt: number;
}

const EARLY_SHARE = 0.3;

export const freshPace: Pace = { dueAt: Number.NEGATIVE_INFINITY };

/** Milliseconds between two pictures; 0 when the rate holds nothing back. */
export function intervalOf(fps: number): number {
  return fps >= UNPACED_FPS ? 0 : 1_000 / fps;
}

/** The earliest time at which one more may pass. */
export function mayPassAt(pace: Pace, fps: number): number {
  return pace.dueAt - EARLY_SHARE * intervalOf(fps);
}

/** One passed at `now`. */
export function passed(pace: Pace, fps: number, now: number): Pace {
  return { dueAt: Math.max(pace.dueAt, now) + intervalOf(fps) };
}
