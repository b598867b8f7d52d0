import type { DoneAction } from '@/lib/actions/done';
import { withValue, type EventVerb } from '@/lib/actions/action-verbs';
import type { TimelineEvent } from '@/lib/protocol/views';
import type { Message } from '@/lib/messages/message';

/** Roles with a word of their own: keys of the `roles` message namespace. */
const NAMED_ROLES = [
  'button',
  'link',
  'textbox',
  'searchbox',
  'checkbox',
  'radio',
  'switch',
  'combobox',
  'listbox',
  'option',
  'menuitem',
  'tab',
  'slider',
  'spinbutton',
  'heading',
  'image',
  'iframe',
  'dialog',
  'generic',
] as const;
export type NamedRole = (typeof NAMED_ROLES)[number];

export interface WordedEvent {
  readonly kind: 'worded';
  readonly word: EventVerb;
  readonly way: 'doing' | 'failed' | 'done';
  readonly role: NamedRole | undefined;
  /** Name of the element; page-made text. */
  readonly name: string | undefined;
  /** The target as the caller named it, where no element was found. */
  readonly target: string | undefined;
  readonly url: string | undefined;
  /** The text, key, option or condition of the action; never a value that the server hides (SN6). */
  readonly value: string | undefined;
}

/** A row of an older server, which has only its own line. */
interface StoredLine {
  readonly kind: 'stored';
  readonly text: string;
}

export type EventWords = WordedEvent | { readonly kind: 'said'; readonly said: Message } | StoredLine;

/** The words of an event, for a line in the reader's language. */
export function eventWords({ said, ...event }: TimelineEvent): EventWords {
  return said ? { kind: 'said', said } : actionWords(event, wayOf(event));
}

/** The fields of an action that its line needs. */
export type DoneBrief = Pick<DoneAction, 'deed' | 'element' | 'text' | 'code'>;

/** The words of one action of a receipt or of recorded input (CO5, CO11). */
export function doneWords(done: DoneBrief): WordedEvent | StoredLine {
  return actionWords(done, done.code === undefined ? 'done' : 'failed');
}

function actionWords(
  { deed, text, element }: Omit<DoneBrief, 'code'>,
  way: WordedEvent['way'],
): WordedEvent | StoredLine {
  if (!deed) return { kind: 'stored', text };
  const role = NAMED_ROLES.find((named) => named === element?.role);
  return {
    kind: 'worded',
    word: deed.value === undefined ? deed.word : withValue(deed.word),
    way,
    role,
    name: element?.name,
    target: element ? undefined : deed.target,
    url: deed.url,
    value: deed.value,
  };
}

function wayOf({ phase, outcome, kind }: Pick<TimelineEvent, 'phase' | 'outcome' | 'kind'>): WordedEvent['way'] {
  if (phase === 'intent') return 'doing';
  return outcome === 'failed' || outcome === 'unknown' || kind === 'refused' ? 'failed' : 'done';
}
