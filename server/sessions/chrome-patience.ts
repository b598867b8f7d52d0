import type { Budget } from '@/lib/budget/budget';
import { BUDGET_LIMITS } from '@/lib/budget/limits';
import { WheelhouseError } from '@/lib/errors/error';
import type { ChromeBrowser } from '@/server/browser/chrome-browser';
import type { Vital } from '@/server/browser/vital-signs';

/** For tests that cannot wait so long. Milliseconds, times. */
export interface ChromePatience extends Vital {
  /** One that is to be ended because it is sick is asked once more, for so long. */
  readonly onceMoreMs: number;
  /** A context of its own is to be there within this, and the caller is told so if it is not. */
  readonly contextMs: number;
  /** How often one that was let go is looked after. */
  readonly lookEveryMs: number;
}

const MS = 1_000;

/** A new context of a Chrome. Throws BROWSER_DOWN for one that answers nothing for `withinMs`, well before most callers would go away (BU3). */
export async function contextIn(budget: Budget, browser: ChromeBrowser, withinMs: number = BUDGET_LIMITS.defaultMs): Promise<string> {
  const patience = budget.child(withinMs);
  try {
    return await browser.createContext(patience, {});
  } catch (error) {
    if (!patience.over || budget.over) throw error;
    const seconds = Math.round(patience.timeoutMs / MS);
    throw new WheelhouseError('BROWSER_DOWN', { code: 'chromeSilentFor', seconds }, { hint: { code: browser.origin === 'launched' ? 'chromeSilentCure' : 'attachedSilentCure' }, cause: error });
  } finally {
    patience.dispose();
  }
}
