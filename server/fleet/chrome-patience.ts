import type { Message } from '@/lib/messages/message';
import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import type { ChromeBrowser, ContextOptions } from '@/server/browser/chrome-browser';

const MS = 1_000;

/**
 * Attaches to an address that may not be a Chrome. Throws BROWSER_DOWN after `withinMs` (milliseconds), well before the
 * caller's budget ends.
 */
export async function attachIn<T>(
  budget: Budget,
  attach: (patience: Budget) => Promise<T>,
  withinMs: number,
): Promise<T> {
  return inTime(budget, withinMs, attach, (seconds, cause) => ({
    said: { code: 'endpointSilent', seconds },
    more: { hint: { code: 'attachCure' }, details: { log: budget.log }, cause },
  }));
}

/**
 * Makes a context in a Chrome. Throws BROWSER_DOWN when it does not answer for `withinMs` (milliseconds), well before
 * most callers give up (BU3).
 */
export async function contextIn(
  budget: Budget,
  browser: ChromeBrowser,
  options: ContextOptions,
  withinMs: number,
): Promise<string> {
  const hint = { code: browser.origin === 'launched' ? 'chromeSilentCure' : 'attachedSilentCure' } as const;
  return inTime(
    budget,
    withinMs,
    (inner) => browser.createContext(inner, options),
    (seconds, cause) => ({
      said: { code: 'chromeSilentFor', seconds },
      more: { hint, cause },
    }),
  );
}

interface Refusal {
  readonly said: Message;
  readonly more: ConstructorParameters<typeof WheelhouseError>[2];
}

/**
 * Runs `work` for at most `ms`. Throws BROWSER_DOWN, with the message of `silent`, when that ends before the whole
 * budget.
 */
async function inTime<T>(
  budget: Budget,
  ms: number,
  work: (inner: Budget) => Promise<T>,
  silent: (seconds: number, cause: unknown) => Refusal,
): Promise<T> {
  const inner = budget.child(ms);
  try {
    return await work(inner);
  } catch (error) {
    if (!inner.over || budget.over) throw error;
    const { said, more } = silent(Math.round(inner.timeoutMs / MS), error);
    throw new WheelhouseError('BROWSER_DOWN', said, more);
  } finally {
    inner.dispose();
  }
}
