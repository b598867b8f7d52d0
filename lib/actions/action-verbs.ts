import { kindOf, verbOf, type Action, type ActionKind } from './kinds';
import * as list from './kinds/list';

type List = typeof list;
type ValueVerb = {
  [K in ActionKind]: List[K] extends { readonly verbsWithValue?: infer V } ? keyof NonNullable<V> : never;
}[ActionKind];

/** One word for what an action did: its kind, or a variant of the kind that has a sentence of its own. */
export type ActionVerb = { [K in ActionKind]: keyof List[K]['verbs'] }[ActionKind];

/** The same words, and `…Text` variants for the verbs whose sentence also shows a value. */
export type EventVerb = ActionVerb | `${ValueVerb}Text`;

const PLAIN: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(list).flatMap(({ verbs }) => Object.entries<string>(verbs)),
);
const WITH_VALUE: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(list).flatMap((kind) =>
    'verbsWithValue' in kind
      ? Object.entries<string>(kind.verbsWithValue ?? {}).map(([verb, text]) => [`${verb}Text`, text])
      : [],
  ),
);
const ENGLISH = { ...PLAIN, ...WITH_VALUE };

export const ACTION_VERBS: readonly string[] = Object.keys(PLAIN);

export function isActionVerb(word: unknown): word is ActionVerb {
  return typeof word === 'string' && Object.hasOwn(PLAIN, word);
}

/** The `…Text` variant of the verb, if it has one. */
export function withValue(word: ActionVerb): EventVerb {
  const better = `${word}Text`;
  return isEventVerb(better) ? better : word;
}

function isEventVerb(word: string): word is EventVerb {
  return Object.hasOwn(ENGLISH, word);
}

function hasEveryVerb(words: Readonly<Record<string, string>>): words is Readonly<Record<EventVerb, string>> {
  return Object.keys(ENGLISH).every((word) => Object.hasOwn(words, word));
}

/** English of all verbs, as ICU messages: a part of the `event` messages. */
export function englishVerbs(): Readonly<Record<EventVerb, string>> {
  if (!hasEveryVerb(ENGLISH)) throw new TypeError('A word of an action has no English.');
  return ENGLISH;
}

/** Whether a receipt leaves out an action: it changes nothing, or its inner actions are listed instead (CO5). */
export function isQuiet(kind: ActionKind, word: string): boolean {
  const { access, reads = [], quiet = [] } = kindOf({ kind });
  return access === 'read' || reads.includes(word) || quiet.includes(word);
}

/** The verb of this action. */
export function actionVerb(action: Action): ActionVerb {
  const word = verbOf(action);
  if (isActionVerb(word)) return word;
  throw new TypeError(`"${word}" is no word of ${action.kind}.`);
}
