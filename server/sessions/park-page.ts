import { withBudget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { nextDocument } from '@/server/actions/go-to';
import type { Tab } from '@/server/browser/tab';

/** How long an empty page may take to be there, and a script that runs to end first. Milliseconds. */
const PARK_MS = 8_000;
const UNHANG_MS = 500;

/** Puts an empty page in the place of the tab's own; false when it does not come. A page that shares its renderer stays in it, so what runs there is ended first. */
export async function parkPage(tab: Tab, clock: Clock): Promise<boolean> {
  const blank = nextDocument(tab);
  try {
    await withBudget({ timeoutMs: PARK_MS, clock }, async (budget) => {
      if (tab.health.state === 'hung') await tab.unhang(budget, UNHANG_MS);
      await budget.race(tab.sessions.commands.send('Page.navigate', { url: 'about:blank' }));
      await budget.race(blank.promise);
    });
    return true;
  } catch {
    // Its process answers nothing: the tab is closed then.
    return false;
  } finally {
    blank.stop();
  }
}
