/**
 * How many pictures may be on their way to one viewer, unpainted (FR2). Starts at one. Grows to three on a connection
 * with a long round trip but no queue, so that 60 pictures a second pass a round trip of 30 ms. Falls back to one where
 * pictures wait in a queue, because there each further one makes all of them older. All times in milliseconds of one
 * monotonic clock.
 */
export interface CreditWindow {
  readonly inFlight: readonly SentPicture[];
  readonly size: number;
  /** Highest ticket that was credited. */
  readonly credited: number;
  /** Time from sending to painted: smoothed, and the least of about the last ten seconds (the time without a queue). */
  readonly smoothMs: number | undefined;
  readonly least: Least | undefined;
  /** Credits since the size was last decided, and the least time among them: a queue delays every one of them. */
  readonly recent: { readonly count: number; readonly leastMs: number };
  /** Not grown before this time. */
  readonly growAfter: number;
}

export interface SentPicture {
  /** Number of the picture sent to this viewer: 1, 2, 3 … */
  readonly ticket: number;
  readonly sentAt: number;
  /** From when on the viewer counts as behind while this is not painted. */
  readonly since: number;
}

interface Least {
  readonly ms: number;
  /** Least of the running period, which replaces `ms` when it is over. */
  readonly nextMs: number;
  readonly until: number;
}

export type CreditResult = 'credited' | 'duplicate' | 'unknown';

const LARGEST = 3;
const SMOOTHING = 0.25;
const LEAST_PERIOD_MS = 10_000;
const LOOK_EVERY_CREDITS = 6;
/** After a queue was seen, the window stays small for this long. */
const CAUTION_MS = 5_000;
/** A slower connection gets one picture at a time. */
const LONGEST_GROWN_MS = 250;
const TOLERATED_QUEUE_MS = 20;

const NONE_YET = { count: 0, leastMs: Number.POSITIVE_INFINITY };

export const emptyWindow: CreditWindow = {
  inFlight: [],
  size: 1,
  credited: 0,
  smoothMs: undefined,
  least: undefined,
  recent: NONE_YET,
  growAfter: Number.NEGATIVE_INFINITY,
};

export function hasRoom(window: CreditWindow): boolean {
  return window.inFlight.length < window.size;
}

export function sent(window: CreditWindow, flight: SentPicture): CreditWindow {
  return { ...window, inFlight: [...window.inFlight, flight] };
}

/**
 * Credits the viewer's confirmation that it painted `ticket` and all pictures before it. Pictures that were credited
 * already or never sent change nothing (F21). `intervalMs`: the pace at which the viewer wants pictures.
 */
export function painted(
  window: CreditWindow,
  ticket: number,
  now: number,
  intervalMs: number,
): { window: CreditWindow; verdict: CreditResult } {
  const flight = window.inFlight.find((one) => one.ticket === ticket);
  if (!flight) return { window, verdict: ticket <= window.credited ? 'duplicate' : 'unknown' };
  const rest = window.inFlight.filter((one) => one.ticket > ticket);
  const measured = measure({ ...window, inFlight: rest, credited: ticket }, now - flight.sentAt, now);
  return { window: resize(measured, now, intervalMs), verdict: 'credited' };
}

/**
 * When credit is to be expected: now if there is room, else by experience; undefined when long overdue or without
 * experience.
 */
export function creditExpectedAt(window: CreditWindow, now: number): number | undefined {
  if (hasRoom(window)) return now;
  const [oldest] = window.inFlight;
  if (!oldest || window.smoothMs === undefined) return undefined;
  const overdueAt = oldest.sentAt + 2 * window.smoothMs + TOLERATED_QUEUE_MS;
  return now < overdueAt ? Math.max(now, oldest.sentAt + window.smoothMs) : undefined;
}

function measure(window: CreditWindow, ms: number, now: number): CreditWindow {
  const smoothMs = window.smoothMs === undefined ? ms : window.smoothMs + SMOOTHING * (ms - window.smoothMs);
  const recent = { count: window.recent.count + 1, leastMs: Math.min(window.recent.leastMs, ms) };
  return { ...window, smoothMs, least: leastOf(window.least, ms, now), recent };
}

function leastOf(least: Least | undefined, ms: number, now: number): Least {
  if (!least) return { ms, nextMs: ms, until: now + LEAST_PERIOD_MS };
  if (now >= least.until) return { ms: Math.min(least.nextMs, ms), nextMs: ms, until: now + LEAST_PERIOD_MS };
  return { ...least, ms: Math.min(least.ms, ms), nextMs: Math.min(least.nextMs, ms) };
}

/** Single late credits say nothing (a busy machine, a lost packet); a queue makes even the quickest of several late. */
function resize(window: CreditWindow, now: number, intervalMs: number): CreditWindow {
  const { size, smoothMs, least, recent } = window;
  if (smoothMs === undefined || !least || recent.count < LOOK_EVERY_CREDITS) return window;
  const looked = { ...window, recent: NONE_YET };
  const queued = recent.leastMs - least.ms > Math.max(TOLERATED_QUEUE_MS, least.ms / 2);
  if (queued) return size > 1 ? { ...looked, size: size - 1, growAfter: now + CAUTION_MS } : looked;
  const useful = smoothMs / intervalMs > size && recent.leastMs <= LONGEST_GROWN_MS;
  return useful && size < LARGEST && now >= window.growAfter ? { ...looked, size: size + 1 } : looked;
}
