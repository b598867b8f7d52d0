const DAY_S = 86_400;

/** Lifetimes to choose from, in seconds. */
export const LIFETIMES = {
  day: DAY_S,
  week: 7 * DAY_S,
  month: 30 * DAY_S,
  quarter: 90 * DAY_S,
  year: 365 * DAY_S,
} as const;
export type Lifetime = keyof typeof LIFETIMES;
