import type { ActionOf } from '@/lib/actions/kinds';
import { WheelhouseError } from '@/lib/errors/error';
import { defineAction, type ActionContext, type HandlerResult } from './context';
import { openTab } from './open-tab';

export const tab = defineAction({
  kind: 'tab',
  settles: false,
  queued: false,
  worksWhenStuck: true,
  mayCloseTab: true,
  run: (context, action) => act(context, action),
});

async function act(context: ActionContext, action: ActionOf<'tab'>): Promise<HandlerResult> {
  const { tabs, budget } = context;
  switch (action.do) {
    case 'list':
      return { value: tabs.list() };
    case 'open':
      return openTab(context, action.url, action.label);
    case 'focus':
      return { value: tabs.focus(chosen(context, action)) };
    case 'close':
      await tabs.close(budget, await held(context, action));
      return {};
    case 'label':
      return { value: tabs.label(await held(context, action), labelOf(action)) };
  }
}

/** The chosen tab, of which this participant now holds the lease: it need not be the one the action was sent to. */
async function held(context: ActionContext, action: ActionOf<'tab'>): Promise<string> {
  const id = chosen(context, action);
  await context.takeFree(id);
  return id;
}

/** By `index` in the list (as WebArena counts), else the tab the action was sent to. */
function chosen({ tab: own, tabs }: ActionContext, action: ActionOf<'tab'>): string {
  if (action.index === undefined) return own.id;
  const found = tabs.list()[action.index];
  if (found) return found.id;
  throw new WheelhouseError('TAB_NOT_FOUND', `There is no tab with index ${action.index}; the first one is 0.`, {
    details: { tabs: tabs.list() },
  });
}

function labelOf(action: ActionOf<'tab'>): string {
  if (action.label !== undefined) return action.label;
  throw new WheelhouseError('BAD_REQUEST', '"label" is missing: give the name for the tab.', {
    details: { fields: [{ field: 'label', problem: 'is missing' }] },
  });
}
