/**
 * Chrome stops a screencast that has this many unacknowledged pictures, and drops what is painted until one is
 * acknowledged (docs/chrome-facts.md, Pictures).
 */
export const CHROME_WINDOW = 3;

/**
 * A viewer that takes every picture must not slow Chrome down: a frame is acknowledged before the viewer's credit has
 * arrived if that is expected within this time, two frames. Milliseconds.
 */
export const UNPACED_LEAD_MS = 34;

/**
 * Bounds for the learned time from an acknowledgement to the next picture, milliseconds. At least one frame of 60 Hz
 * and the encoder; a page that paints rarely answers late too, so longer times are not learned from.
 */
export const ANSWER = { leastMs: 18, mostMs: 100 } as const;
const LEARNING = 0.1;
const LONGEST_LEAD_MS = 50;

/** The earliest time at which a sink wants its next picture, per kind of sink; infinity where none has credit. */
export interface SinkDemand {
  /** Of sinks with a rate of their own. */
  readonly pacedAt: number;
  /** The shortest time between two pictures for those. */
  readonly pacedEveryMs: number;
  /** Of sinks that take every picture (`UNPACED_FPS`). */
  readonly unpacedAt: number;
}

export interface AckPlan {
  /** How many to acknowledge now. */
  readonly ack: number;
  /** Plan again after this long, milliseconds; absent when only an event can change the plan. */
  readonly wakeInMs?: number;
}

/**
 * Decides which pictures to acknowledge to Chrome (FR1). For paced sinks it gives as few credits as their rate needs,
 * usually one, just before the next picture is wanted, so that Chrome captures one fresh picture instead of three.
 * Measured on Chromium 156: a lead of 16 to 24 ms gives 30.0/s where none gives 25.6. `everyNthFrame` starves instead
 * (docs/chrome-facts.md, Pictures). `answerMs`: see `learnAnswer`.
 */
export function planAck(
  outstanding: number,
  wants: SinkDemand,
  now: number,
  answerMs: number = ANSWER.leastMs,
): AckPlan {
  const unpacedInMs = wants.unpacedAt - UNPACED_LEAD_MS - now;
  if (unpacedInMs <= 0) return { ack: outstanding };
  const missing = outstanding - (CHROME_WINDOW - creditsFor(wants.pacedEveryMs, answerMs));
  if (missing <= 0) return { ack: 0 };
  const pacedInMs = wants.pacedAt - Math.min(answerMs, LONGEST_LEAD_MS) - now;
  if (pacedInMs <= 0) return { ack: missing };
  const wakeInMs = Math.min(unpacedInMs, pacedInMs);
  return Number.isFinite(wakeInMs) ? { ack: 0, wakeInMs } : { ack: 0 };
}

/** The next estimate, after Chrome had waited for an acknowledgement and answered it `tookMs` later. */
export function learnAnswer(answerMs: number, tookMs: number): number {
  const next = answerMs + LEARNING * (tookMs - answerMs);
  return Math.min(ANSWER.mostMs, Math.max(ANSWER.leastMs, next));
}

/** On a busy machine a picture takes longer than the time between two: more of them must be under way at once. */
function creditsFor(everyMs: number, answerMs: number): number {
  return Math.min(CHROME_WINDOW, Math.max(1, Math.ceil(answerMs / everyMs)));
}
