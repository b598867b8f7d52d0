import { WheelhouseError } from '@/lib/errors/error';
import type { ActionOf } from '@/lib/actions/kinds';
import { defineAction, type ActionContext, type Outcome } from './context';

export const dialog = defineAction({
  kind: 'dialog',
  settles: true,
  queued: false,
  run: (context, action) => act(context, action),
});

async function act({ tab, budget, actor, files }: ActionContext, action: ActionOf<'dialog'>): Promise<Outcome> {
  if (action.do === 'disarm') {
    tab.dialogs.arm(undefined);
    return {};
  }
  const answer = { accept: accepted(action.accept), promptText: action.promptText };
  if (action.do === 'answer') return { value: await budget.race(tab.dialogs.answer(action.dialogId, answer)) };
  const lost = tab.dialogs.arm({ ...answer, by: actor });
  if (lost?.by !== undefined) files.armReplaced(lost.by);
  return { warnings: lost ? ['An answer that was armed before is replaced by this one.'] : [] };
}

/** Throws BAD_REQUEST when it is not said which button is pressed. */
export function accepted(accept: boolean | undefined): boolean {
  if (accept !== undefined) return accept;
  throw new WheelhouseError('BAD_REQUEST', '"accept" is missing: true presses OK, false presses Cancel.', { details: { fields: [{ field: 'accept', problem: 'is missing' }] } });
}
