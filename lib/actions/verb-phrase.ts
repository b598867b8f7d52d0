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
  /** The text typed, key, option, condition or answer; absent when the server keeps it hidden (SN6). */
  value: shown.optional(),
  /** The ref, role or selector that the caller gave, when no such element was found. */
  target: shown.optional(),
  /** The address that was opened. */
  url: shown.optional(),
  /** The agent's reason in its own words. */
  note: z
    .string()
    .max(MOST_NOTE * 2)
    .optional(),
});
export type VerbPhrase = z.infer<typeof verbPhraseSchema>;

/**
 * @param secret hide text that is typed or chosen and single characters that are pressed (SN6)
 * @param unfound no element is known, so describe the target as the caller named it
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
