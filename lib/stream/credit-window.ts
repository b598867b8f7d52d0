/**
 * How many pictures may be on their way to one viewer, unpainted (FR2). Starts at one. Grows to three on a connection
 * with a long round trip but no queue, so that 60 pictures a second pass a round trip of 30 ms; to two on one so slow
 * that a picture takes a quarter of a second. Falls back where pictures wait in a queue, because there each further one
 * makes all of them older; that is tried ever more seldom. All times in milliseconds of one monotonic clock.
 */
export interface CreditWindow {
  readonly inFlight: readonly Flight[];
  readonly size: number;
  /** Highest ticket that was credited. */
  readonly credited: number;
  /** Time from sending to painted: smoothed, and the least of about the last ten seconds (the time without a queue). */
  readonly smoothMs: number | undefined;
  readonly least: Least | undefined;
  /**
   * Credits since the size was last decided, and the least time among them: a queue delays every one of them. With more
   * than one picture on its way only those count that were sent after another: the first one waits for nothing.
   */
  readonly recent: { readonly count: number; readonly leastMs: number };
  /** Not grown before this time. */
  readonly growAfter: number;
  /** How long it stays small after the next queue. */
  readonly cautionMs: number;
  /** It has grown, and no look has shown yet that this makes no queue. */
  readonly onTrial: boolean;
}

interface Flight extends SentPicture {
  /** Another one was on its way when it was sent. */
  readonly behind: boolean;
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
/** Further pictures on a slow connection must not stay for long if they wait. */
const LOOK_SLOW_EVERY_CREDITS = 2;
/** After a queue was seen, the window stays small for this long; each trial that fails doubles it. */
const CAUTION = { firstMs: 5_000, mostMs: 40_000 } as const;
/** From this time for a picture on a connection is slow. */
const SLOW_MS = 250;
/** Connections on which a picture takes longer get one at a time: a trial would show a picture of twice that age. */
const LONGEST_GROWN_MS = 1_000;
const LARGEST_SLOW = 2;
const TOLERATED_QUEUE_MS = 20;
/**
 * A second picture on its way makes a new one come twice as often. Up to this share of a picture's time as a queue,
 * what the viewer sees is newer nevertheless.
 */
const TOLERATED_QUEUE_SHARE = 0.2;

const NONE_YET = { count: 0, leastMs: Number.POSITIVE_INFINITY };

export const emptyWindow: CreditWindow = {
  inFlight: [],
  size: 1,
  credited: 0,
  smoothMs: undefined,
  least: undefined,
  recent: NONE_YET,
  growAfter: Number.NEGATIVE_INFINITY,
  cautionMs: CAUTION.firstMs,
  onTrial: false,
};

export function hasRoom(window: CreditWindow): boolean {
  return window.inFlight.length < window.size;
}

export function sent(window: CreditWindow, flight: SentPicture): CreditWindow {
  return { ...window, inFlight: [...window.inFlight, { ...flight, behind: window.inFlight.length > 0 }] };
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
  const measured = measure({ ...window, inFlight: rest, credited: ticket }, flight, now);
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

function measure(window: CreditWindow, { sentAt, behind }: Flight, now: number): CreditWindow {
  const { size, recent } = window;
  const ms = now - sentAt;
  const smoothMs = window.smoothMs === undefined ? ms : window.smoothMs + SMOOTHING * (ms - window.smoothMs);
  const counted = size === 1 || behind ? { count: recent.count + 1, leastMs: Math.min(recent.leastMs, ms) } : recent;
  return { ...window, smoothMs, least: leastOf(window.least, ms, now), recent: counted };
}

function leastOf(least: Least | undefined, ms: number, now: number): Least {
  if (!least) return { ms, nextMs: ms, until: now + LEAST_PERIOD_MS };
  if (now >= least.until) return { ms: Math.min(least.nextMs, ms), nextMs: ms, until: now + LEAST_PERIOD_MS };
  return { ...least, ms: Math.min(least.ms, ms), nextMs: Math.min(least.nextMs, ms) };
}

/** Single late credits say nothing (a busy machine, a lost packet); a queue makes even the quickest of several late. */
function resize(window: CreditWindow, now: number, intervalMs: number): CreditWindow {
  const { size, smoothMs, least, recent } = window;
  if (smoothMs === undefined || !least) return window;
  const slow = least.ms > SLOW_MS;
  if (recent.count < (slow && size > 1 ? LOOK_SLOW_EVERY_CREDITS : LOOK_EVERY_CREDITS)) return window;
  const looked = { ...window, recent: NONE_YET };
  if (recent.leastMs - least.ms > toleratedQueueMs(least.ms)) return size > 1 ? shrunk(looked, now) : looked;
  const proven = window.onTrial ? { ...looked, onTrial: false, cautionMs: CAUTION.firstMs } : looked;
  const useful = smoothMs / intervalMs > size && recent.leastMs <= LONGEST_GROWN_MS;
  const largest = slow ? LARGEST_SLOW : LARGEST;
  return useful && size < largest && now >= window.growAfter ? { ...proven, size: size + 1, onTrial: true } : proven;
}

function toleratedQueueMs(leastMs: number): number {
  return Math.max(TOLERATED_QUEUE_MS, Math.min(leastMs / 2, TOLERATED_QUEUE_SHARE * Math.max(leastMs, SLOW_MS)));
}

function shrunk(window: CreditWindow, now: number): CreditWindow {
  const { size, onTrial, cautionMs } = window;
  const waitMs = onTrial ? cautionMs : CAUTION.firstMs;
  const nextMs = Math.min(2 * waitMs, CAUTION.mostMs);
  return { ...window, size: size - 1, onTrial: false, growAfter: now + waitMs, cautionMs: nextMs };
}
