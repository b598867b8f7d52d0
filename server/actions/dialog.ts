import { WheelhouseError } from '@/lib/errors/error';
import type { ActionOf } from '@/lib/actions/kinds';
import { soundsSecret } from '@/lib/snapshot/secret';
import { CHOOSER_MARK } from '@/server/browser/files/chooser';
import { defineAction, type ActionContext, type HandlerResult } from './context';

export const dialog = defineAction({
  kind: 'dialog',
  settles: true,
  queued: false,
  worksWhenStuck: true,
  answersDialogs: true,
  run: (context, action) => act(context, action),
});

async function act(context: ActionContext, action: ActionOf<'dialog'>): Promise<HandlerResult> {
  const { tab, budget, actor, agent, files } = context;
  if (isOfChooser(context, action)) return closeChooser(context, action);
  if (action.do === 'disarm') {
    tab.dialogs.arm(undefined);
    return {};
  }
  if (action.promptText !== undefined && soundsSecret(tab.dialogs.current?.message ?? ''))
    context.keepSecret(action.promptText);
  const answer = { accept: accepted(action.accept), promptText: action.promptText };
  if (action.do === 'answer') return { value: await budget.race(tab.dialogs.answer(action.dialogId, answer)) };
  const lost = tab.dialogs.arm({ ...answer, by: actor, agent });
  if (lost?.by !== undefined) files.armReplaced(lost.by);
  return { warnings: lost ? ['An answer that was armed before is replaced by this one.'] : [] };
}

/** Throws BAD_REQUEST when it is not said which button is pressed. */
export function accepted(accept: boolean | undefined): boolean {
  if (accept !== undefined) return accept;
  throw new WheelhouseError('BAD_REQUEST', '"accept" is missing: true presses OK, false presses Cancel.', {
    details: { fields: [{ field: 'accept', problem: 'is missing' }] },
  });
}

/**
 * A file chooser is closed as a dialog is dismissed; files are given to it by `upload`. Without an id the dialog is
 * meant, else the chooser.
 */
function isOfChooser({ tab }: ActionContext, { do: verb, dialogId }: ActionOf<'dialog'>): boolean {
  if (verb !== 'answer') return false;
  if (dialogId !== undefined) return dialogId.startsWith(CHOOSER_MARK);
  return tab.dialogs.current === undefined && tab.tools.chooser.open !== undefined;
}

async function closeChooser(
  { tab, checkLease, files }: ActionContext,
  { accept, dialogId }: ActionOf<'dialog'>,
): Promise<HandlerResult> {
  const { chooser } = tab.tools;
  if (accept !== false)
    throw new WheelhouseError(
      'BAD_REQUEST',
      'A file chooser is answered by {"kind":"upload","paths":[…]}; "accept": false closes it.',
      { details: { fields: [{ field: 'accept', problem: 'must be false for a file chooser' }] } },
    );
  if (!chooser.open || (dialogId !== undefined && chooser.open.view.id !== dialogId))
    throw new WheelhouseError('CONFLICT', { code: 'noChooser' });
  await checkLease();
  const closed = chooser.open?.view;
  chooser.close();
  files.chooserClosed();
  return { value: closed };
}
