import { verbPhraseOf, verbPhraseSchema } from '@/lib/actions/verb-phrase';
import { describeAction } from '@/lib/actions/describe';
import type { DoneAction } from '@/lib/actions/done';
import { actionSchema, type Action } from '@/lib/actions/kinds';
import { printStep } from '@/lib/steps/print';
import { maskAddresses, maskedDeep } from '@/lib/text/mask';
import type { RecordedAction } from './recorded-action';

/** Characters of one step line that a receipt holds; a longer one is cut and marked. */
const MOST_STEP = 1_500;

/** The tab in which an action was done, and its result code. */
export interface DoneContext {
  readonly tab: string;
  readonly code?: string | undefined;
}

/** Formats a recorded action for the timeline and receipts. Masks secrets of addresses in all of it (SN6). */
export function doneOf({ at, action, element, hidden, cut }: RecordedAction, { tab, code }: DoneContext): DoneAction {
  const shown = actionSchema.safeParse(maskedDeep(action)).data ?? NOTHING;
  const named = element && { ...element, name: maskAddresses(element.name) };
  return {
    at: new Date(at).toISOString(),
    tab,
    action: { ...shown },
    step: cutAt(printStep(shown)),
    text: maskAddresses(describeAction(action, named, hidden)),
    deed: verbPhraseSchema.parse(maskedDeep(verbPhraseOf(action, hidden))),
    ...(named && { element: named }),
    ...(hidden && { hidden }),
    ...(cut > 0 && { cut }),
    ...(code !== undefined && { code }),
  };
}

/** Stands for an action that masking made invalid. */
const NOTHING: Action = { kind: 'none' };

function cutAt(step: string): string {
  return step.length > MOST_STEP ? `${step.slice(0, MOST_STEP)}…(+${step.length - MOST_STEP})` : step;
}
