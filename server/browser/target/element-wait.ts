import type { Budget } from '@/lib/budget/budget';

/**
 * How long an element is waited for until it can be acted on (AC3), milliseconds. Long enough for an animation, a
 * spinner or a request; short enough that an agent hears of a covered or disabled element while it can still do
 * something else.
 */
export const ELEMENT_WAIT = {
  mostMs: 5_000,
  /** Kept of the budget, so that the reason is told instead of a bare TIMEOUT. */
  reserveMs: 200,
  /** One look inside the page, once a frame, before the server hears of it. */
  lookMs: 250,
  /** Before an element that the page took away is looked for once more. */
  againMs: 50,
} as const;

/** How long an element may be waited for in this budget, milliseconds. */
export function elementWaitMs(budget: Budget): number {
  return Math.max(0, Math.min(ELEMENT_WAIT.mostMs, budget.remainingMs() - ELEMENT_WAIT.reserveMs));
}
