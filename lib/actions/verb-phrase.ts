import { z } from 'zod';
import { cleanText } from '@/lib/text/clean';
import { namedTarget } from './describe';
import { kindOf, type Action } from './kinds';
import { ACTION_VERBS, actionVerb, isActionVerb, type ActionVerb } from './action-verbs';

/** Characters of a value that a row shows. */
const MOST = 120;
const MOST_NOTE = 200;
const shown = z.string().max(MOST * 2);

/** An action as data for one line in the reader's language; `describeAction` says the same in English. */
export const verbPhraseSchema = z.object({
  word: z.custom<ActionVerb>(isActionVerb).meta({ type: 'string', enum: [...ACTION_VERBS] }),
  /** What was typed, pressed, chosen, waited for or answered; left out when the server keeps it hidden (SN6). */
  value: shown.optional(),
  /** What the caller named, by ref, role or selector: all that is known of an element that was not found. */
  target: shown.optional(),
  /** The address that was opened. */
  url: shown.optional(),
  /** Why, in the agent's own words. */
  note: z
    .string()
    .max(MOST_NOTE * 2)
    .optional(),
});
export type VerbPhrase = z.infer<typeof verbPhraseSchema>;

/**
 * @param secret what is typed or chosen, and single characters that are pressed, must not be shown (SN6)
 * @param unfound no element is known: what the caller named stands for it
 */
export function verbPhraseOf(action: Action, secret = false, unfound = false): VerbPhrase {
  const kind = kindOf(action);
  const value = cleanText(kind.value?.(action, secret) ?? '', MOST);
  const url = cleanText(kind.address?.(action) ?? '', MOST);
  const target = unfound ? cleanText(namedTarget(action), MOST) : '';
  const note = cleanText(action.note ?? '', MOST_NOTE);
  return {
    word: actionVerb(action),
    ...(value !== '' && { value }),
    ...(target !== '' && { target }),
    ...(url !== '' && { url }),
    ...(note !== '' && { note }),
  };
}
