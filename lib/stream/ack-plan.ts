/** Chrome stops a screencast that has this many unacknowledged pictures, and drops what is painted until one is acknowledged (cdp-facts). */
export const CHROME_WINDOW = 3;

/**
 * An acknowledgement this much before a picture is wanted lets Chrome capture the next one just in time: one frame of
 * 60 Hz and the encoder. Measured on Chromium 156: 16 to 24 ms give 30.0/s where 0 gives 25.6.
 */
export const ACK_LEAD_MS = 18;

export interface AckFacts {
  /** Pictures Chrome has sent that are not acknowledged yet. */
  readonly outstanding: number;
  /** When the keenest sink takes its next picture; undefined while none has credit. */
  readonly wantedAt: number | undefined;
  /** The keenest sink takes all it can get: nothing is parked. */
  readonly eager: boolean;
  readonly now: number;
}

export interface AckPlan {
  /** How many to acknowledge now. */
  readonly ack: number;
  /** Look again after this long, milliseconds; undefined when an event will bring it up. */
  readonly wakeInMs?: number;
}

/** Who takes everything keeps Chrome going although its credit is still on the way, if it is this near. Milliseconds, two frames. */
const EAGER_AHEAD_MS = 34;

/**
 * What Chrome is told about its outstanding pictures (FR1). When paced, all but one of Chrome's credits stay parked, so that
 * each acknowledgement gives exactly one picture and that one is fresh; `everyNthFrame` starves instead (cdp-facts).
 */
export function planAck({ outstanding, wantedAt, eager, now }: AckFacts): AckPlan {
  if (outstanding === 0 || wantedAt === undefined) return { ack: 0 };
  const parked = eager ? 0 : CHROME_WINDOW - 1;
  if (outstanding <= parked) return { ack: 0 };
  const wakeInMs = wantedAt - (eager ? EAGER_AHEAD_MS : ACK_LEAD_MS) - now;
  return wakeInMs > 0 ? { ack: 0, wakeInMs } : { ack: outstanding - parked };
}
