import type { ActionOf } from '@/lib/actions/kinds';
import { WheelhouseError } from '@/lib/errors/error';
import { defineAction, type ActionContext } from './context';
import { demandNotBlocked, nextDocument, usable } from './go-to';
import { freeIfStuck } from './navigate';

export const history = defineAction({
  kind: 'history',
  settles: false,
  queued: true,
  worksWhenStuck: true,
  replacesPage: () => true,
  run: async (context, action) => {
    const warnings = await freeIfStuck(context);
    const more =
      action.go === 'reload' ? await reload(context, action) : await step(context, action.go === 'back' ? -1 : 1);
    demandNotBlocked(context.tab);
    return { value: { url: context.tab.url }, warnings: [...warnings, ...more] };
  },
});

export async function reload({ tab, budget, write }: ActionContext, action: ActionOf<'history'>): Promise<string[]> {
  const committed = nextDocument(tab);
  try {
    await write('Page.reload', { ignoreCache: action.ignoreCache ?? false });
    await budget.during('the page to begin again', () => committed.promise);
    return await usable(tab, budget);
  } finally {
    committed.stop();
  }
}

const OPEN_INSTEAD = 'Open an address instead: {"kind":"navigate","url":"https://…"}.';

async function step({ tab, budget, write }: ActionContext, by: -1 | 1): Promise<string[]> {
  const { entries, currentIndex } = await budget.race(tab.sessions.commands.send('Page.getNavigationHistory'));
  const entry = entries[currentIndex + by];
  if (!entry)
    throw new WheelhouseError(
      'NAV_FAILED',
      { code: by === -1 ? 'noEarlierPage' : 'noLaterPage' },
      { hint: OPEN_INSTEAD },
    );
  const committed = nextDocument(tab);
  const before = tab.page.url;
  // Going back over a fragment stays in the document.
  const moved = tab.page.onChange.next(() => tab.page.url !== before || undefined);
  try {
    await write('Page.navigateToHistoryEntry', { entryId: entry.id });
    await budget.during('the other page to show', () => Promise.race([committed.promise, moved.promise]));
    return await usable(tab, budget);
  } finally {
    moved.stop();
    committed.stop();
  }
}
