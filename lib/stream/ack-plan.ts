/** Chrome stops a screencast that has this many unacknowledged pictures, and drops what is painted until one is acknowledged (cdp-facts). */
export const CHROME_WINDOW = 3;

/**
 * An acknowledgement this much before a picture is wanted lets Chrome capture the next one just in time: one frame of
 * 60 Hz and the encoder. Milliseconds. Measured on Chromium 156: 16 to 24 give 30.0/s where 0 gives 25.6.
 */
export const ACK_LEAD_MS = 18;

/** Who takes everything keeps Chrome going although its credit is still on the way, if it is this near: two frames. Milliseconds. */
export const EAGER_LEAD_MS = 34;

/** When the keenest sink takes its next picture, by what sinks take; infinity where none of them has credit. */
export interface Wants {
  /** Of sinks with a rate of their own. */
  readonly pacedAt: number;
  /** Of sinks that take all they can get. */
  readonly eagerAt: number;
}

export interface AckPlan {
  /** How many to acknowledge now. */
  readonly ack: number;
  /** Look again after this long, milliseconds; absent when an event will bring it up. */
  readonly wakeInMs?: number;
}

/**
 * What Chrome is told about the pictures it has sent and nobody has acknowledged (FR1). For paced sinks all but one of
 * Chrome's credits stay parked, so that each acknowledgement gives exactly one picture and that one is fresh;
 * `everyNthFrame` starves instead (cdp-facts).
 */
export function planAck(outstanding: number, { pacedAt, eagerAt }: Wants, now: number): AckPlan {
  const eagerInMs = eagerAt - EAGER_LEAD_MS - now;
  const pacedInMs = pacedAt - ACK_LEAD_MS - now;
  if (eagerInMs <= 0) return { ack: outstanding };
  if (outstanding < CHROME_WINDOW) return { ack: 0 };
  if (pacedInMs <= 0) return { ack: outstanding - CHROME_WINDOW + 1 };
  const wakeInMs = Math.min(eagerInMs, pacedInMs);
  return Number.isFinite(wakeInMs) ? { ack: 0, wakeInMs } : { ack: 0 };
}
