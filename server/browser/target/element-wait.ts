import type { Budget } from '@/lib/budget/budget';

/**
 * How long an action waits until an element can be acted on (AC3), milliseconds. Long enough for an animation, a
 * spinner or a request; short enough that an agent learns of a covered or disabled element while it can still do
 * something else.
 */
export const ELEMENT_WAIT = {
  mostMs: 5_000,
  /** Kept of the budget to report the reason instead of a bare TIMEOUT: at least so much, and this part of it. */
  reserveMs: 200,
  reservePart: 0.15,
  /** How long the page itself looks, once per animation frame, before it answers the server. */
  lookMs: 250,
  /** Pause before an element that the page removed is looked up once more. */
  againMs: 50,
} as const;

/** The part of this budget that may be spent waiting for an element, milliseconds. */
export function elementWaitMs(budget: Budget): number {
  const left = budget.remainingMs();
  const { mostMs, reserveMs, reservePart } = ELEMENT_WAIT;
  return Math.max(0, Math.min(mostMs, left - Math.max(reserveMs, left * reservePart)));
}
