import { withBudget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { maskAddresses } from '@/lib/text/mask';
import { nextDocument } from '@/server/actions/go-to';
import type { Tab } from '@/server/browser/tab';
import type { Timeline } from '@/server/session/timeline';

/** How long an empty page may take to be there, and a script that runs to end first. Milliseconds. */
const PARK_MS = 15_000;
const UNHANG_MS = 500;
/** Rows of floods among which a tab's own is looked for after a restart. */
const ROWS = 50;

/**
 * Puts an empty page in the place of the tab's own; false when it does not come. A page that shares its renderer stays
 * in it, so what runs there is ended first.
 */
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

/**
 * The page that an earlier server put aside in this tab, with its row of the timeline; undefined when the tab shows
 * another, or when its address cannot be told for sure: rows keep addresses masked, so it is read from the tab's own
 * history. Source: Page.getNavigationHistory.
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
