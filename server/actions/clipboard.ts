import type { ActionOf } from '@/lib/actions/kinds';
import { defineAction, type ActionContext, type HandlerResult } from './context';

/** The session's clipboard (SE6); Chrome's own, which all its sessions share, is never touched. */
export const clipboard = defineAction({
  kind: 'clipboard',
  settles: false,
  queued: true,
  run: (context, action) => run(context, action),
});

async function run({ tab, checkLease }: ActionContext, action: ActionOf<'clipboard'>): Promise<HandlerResult> {
  const { clipboard: own } = tab.input;
  await checkLease();
  if (action.do !== 'get') own.copy(action.text ?? '');
  return {
    value:
      action.do === 'get' ? { scope: 'session', text: own.paste() } : { scope: 'session', size: own.paste().length },
  };
}
