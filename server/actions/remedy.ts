import type { ActionOf } from '@/lib/actions/kinds';
import { WheelhouseError } from '@/lib/errors/error';
import { REPLACED_AFTER_MS } from '@/server/browser/hang-monitor';
import { accepted } from './dialog';
import { defineAction, type ActionContext, type HandlerResult } from './context';
import { goTo } from './go-to';
import { reload } from './history';

/** Time that a script may take to stop after a request to stop it. Milliseconds (EV3: normally 250). */
const STOP_MS = 3_000;
const BLANK = 'about:blank';

/**
 * What frees a stuck tab (EV4), each with one call. It does not wait for the page's other actions, and takes no lease
 * (CO9).
 */
export const remedy = defineAction({
  kind: 'remedy',
  settles: false,
  queued: false,
  worksWhenStuck: true,
  answersDialogs: true,
  mayCloseTab: true,
  replacesPage: ({ do: verb }) => verb === 'reload' || verb === 'blank' || verb === 'restart' || verb === 'reopen',
  run: (context, action) => apply(context, action),
});

async function apply(context: ActionContext, action: ActionOf<'remedy'>): Promise<HandlerResult> {
  const { tab, budget, write } = context;
  switch (action.do) {
    case 'stop-script':
      return stopScript(context);
    case 'resume':
      if (!(await tab.hangMonitor.resume(budget))) throw new WheelhouseError('CONFLICT', { code: 'notPaused' });
      return {};
    case 'stop-loading':
      await write('Page.stopLoading');
      return {};
    case 'reload':
      return reloadFreed(context);
    case 'blank':
      // A page that shares its renderer stays in it, so that what runs there has to end; of another the script goes
      // with the page.
      if (tab.health.state === 'hung') await tab.unhang(budget, REPLACED_AFTER_MS);
      await goTo(context, BLANK, 'commit');
      return { value: { url: BLANK } };
    case 'reopen':
      if (tab.page.parked === undefined) throw new WheelhouseError('CONFLICT', { code: 'notParked' });
      await goTo(context, tab.page.parked, 'commit');
      return { value: { url: tab.url } };
    case 'restart':
      return { value: await context.tabs.restart(budget) };
    case 'answer-dialog':
      return {
        value: await budget.race(
          tab.dialogs.answer(action.dialogId, { accept: accepted(action.accept), promptText: action.promptText }),
        ),
      };
  }
}

async function stopScript({ tab, budget }: ActionContext): Promise<HandlerResult> {
  const wasHung = tab.health.state === 'hung';
  const beside = tab.hangMonitor.dialogBeside();
  if (beside) throw beside;
  if (!(await tab.unhang(budget, STOP_MS))) throw stays();
  return wasHung ? {} : { warnings: ['The page answers; no script had to be stopped.'] };
}

/** A page whose script runs does not reload: Chrome waits for the script (docs/chrome-facts.md, Scripts). */
async function reloadFreed(context: ActionContext): Promise<HandlerResult> {
  const { tab, budget } = context;
  if (tab.health.state === 'hung' && !(await tab.unhang(budget, STOP_MS))) throw stays();
  // One that crashed by its address: a reload would send its form once more (measured on Chromium 156).
  const warnings =
    tab.health.state === 'crashed'
      ? (await goTo(context, tab.page.url, 'usable')).warnings
      : await reload(context, { kind: 'history', go: 'reload' });
  return { value: { url: tab.url }, warnings };
}

function stays(): WheelhouseError {
  return new WheelhouseError(
    'TAB_UNRESPONSIVE',
    { code: 'scriptStays' },
    { hint: 'Open a blank page in the tab, or restart the tab.' },
  );
}
