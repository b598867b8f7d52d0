import { withBudget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { maskAddresses } from '@/lib/text/mask';
import { nextDocument } from '@/server/actions/go-to';
import { REPLACED_AFTER_MS } from '@/server/browser/hang-monitor';
import type { Tab } from '@/server/browser/tab';
import type { Timeline } from '@/server/session/timeline';

/** Deadline for loading the empty page. Milliseconds. */
const PARK_MS = 15_000;
/** Number of recent flood rows to search for the tab's own after a restart. */
const ROWS = 50;

/**
 * Replaces the tab's page by an empty one; false when that fails. The empty page may stay in the same renderer, so a
 * script that hangs there is ended first.
 */
export async function parkPage(tab: Tab, clock: Clock): Promise<boolean> {
  const blank = nextDocument(tab);
  try {
    await withBudget({ timeoutMs: PARK_MS, clock }, async (budget) => {
      if (tab.health.state === 'hung') await tab.unhang(budget, REPLACED_AFTER_MS);
      await budget.race(tab.sessions.commands.send('Page.navigate', { url: 'about:blank' }));
      await budget.race(blank.promise);
    });
    return true;
  } catch {
    // The process does not answer; the caller closes the tab.
    return false;
  } finally {
    blank.stop();
  }
}

/**
 * The address of the page that an earlier server parked in this tab, with its timeline row. Undefined when the tab
 * shows another page, or when its address is not certain: rows hold masked addresses, so the address is read from the
 * tab's history and compared. Source: Page.getNavigationHistory.
 */
export async function parkedEarlier(
  tab: Tab,
  timeline: Timeline,
): Promise<{ readonly url: string; readonly row: Awaited<ReturnType<Timeline['events']>>[number] } | undefined> {
  const row = (await timeline.events({ kind: 'flood', limit: ROWS })).findLast((one) => one.tab === tab.id);
  if (row?.said?.code !== 'floodParked') return undefined;
  const history = await tab.sessions.commands.sendMayFail('Page.getNavigationHistory');
  const url = history?.entries[history.currentIndex - 1]?.url;
  return url !== undefined && maskAddresses(url) === row.said.url ? { url, row } : undefined;
}
