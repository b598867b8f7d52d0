export type AgeUnit = 'now' | 'seconds' | 'minutes' | 'hours' | 'days';

export interface Age {
  readonly unit: AgeUnit;
  /** Whole units; 0 for `now`. */
  readonly n: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * A duration in its largest whole unit. Below a second, and for negative durations (clocks that differ), `now`.
 * @param ms milliseconds
 */
export function ageOf(ms: number): Age {
  if (!(ms >= SECOND)) return { unit: 'now', n: 0 };
  if (ms < MINUTE) return { unit: 'seconds', n: Math.floor(ms / SECOND) };
  if (ms < HOUR) return { unit: 'minutes', n: Math.floor(ms / MINUTE) };
  if (ms < DAY) return { unit: 'hours', n: Math.floor(ms / HOUR) };
  return { unit: 'days', n: Math.floor(ms / DAY) };
}

/**
 * @param since ISO 8601; an unreadable one counts as now
 * @param now milliseconds since 1970, of the same clock as far as possible
 */
export function ageSince(since: string, now: number): Age {
  return ageOf(now - Date.parse(since));
}
