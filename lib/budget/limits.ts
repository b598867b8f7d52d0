/** Defaults and clamps of budgets, in milliseconds (BU5). Each kind of action has a default of its own beside these. */
export const BUDGET_LIMITS = {
  minMs: 50,
  maxMs: 120_000,
  /** A call without a more specific default. */
  defaultMs: 20_000,
  /** A read of state that never touches the page. */
  readMs: 5_000,
  /** A call by HTTP that carries no budget of its own. */
  routeMs: 30_000,
  /** A call that waits for a person's answer (CO6). */
  askMs: 60_000,
  /** Starting a Chrome, or doing something in a new one. */
  launchMs: 60_000,
  /** Attaching to a Chrome that Wheelhouse did not start, with all its tabs. */
  attachMs: 15_000,
  /** Waiting for the first page of a new session or tab; after that the page loads on without the caller. */
  firstPageMs: 10_000,
  /** Sending or receiving one file. */
  transferMs: 120_000,
  /** How long after its budget a caller may still be waiting for the answer (BU3). */
  graceMs: 100,
} as const;

/** Clamps a wanted timeout into the table's range; undefined gives `fallbackMs`. */
export function clampTimeout(wantedMs: number | undefined, fallbackMs: number = BUDGET_LIMITS.defaultMs): number {
  const value = wantedMs ?? fallbackMs;
  return Math.min(BUDGET_LIMITS.maxMs, Math.max(BUDGET_LIMITS.minMs, Math.round(value)));
}
