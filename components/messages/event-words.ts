import type { VerbPhrase } from '@/lib/actions/verb-phrase';
import type { DoneAction } from '@/lib/actions/done';
import type { TimelineEvent } from '@/lib/protocol/views';
import type { Message } from '@/lib/messages/message';

/**
 * Deeds that read better with what was typed, pressed, chosen, waited for or answered: keys of the `event` message
 * namespace.
 */
const WITH_VALUE = {
  type: 'typeText',
  press: 'pressText',
  select: 'selectText',
  wait: 'waitText',
  tabLabel: 'tabLabelText',
  stop: 'stopText',
} as const;

export type EventWord = VerbPhrase['word'] | (typeof WITH_VALUE)[keyof typeof WITH_VALUE];

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
  readonly sort: 'worded';
  readonly word: EventWord;
  readonly way: 'doing' | 'failed' | 'done';
  readonly role: NamedRole | undefined;
  /** Name of the element; page-made text. */
  readonly name: string | undefined;
  /** What the caller named, where no element was found for it. */
  readonly target: string | undefined;
  readonly url: string | undefined;
  /** What was typed, pressed, chosen or waited for; never what the server keeps hidden (SN6). */
  readonly value: string | undefined;
}

/** A row of an older server: its own line. */
interface StoredLine {
  readonly sort: 'stored';
  readonly text: string;
}

export type EventWords = WordedEvent | { readonly sort: 'said'; readonly said: Message } | StoredLine;

/** What happened, ready to be put in words (ui.md, wall: "the last action in words"). */
export function eventWords({ said, ...event }: TimelineEvent): EventWords {
  return said ? { sort: 'said', said } : deedWords(event, wayOf(event));
}

/** What a line needs to know of something that was done. */
export type DoneBrief = Pick<DoneAction, 'deed' | 'element' | 'text' | 'code'>;

/** One of the things that somebody did, ready to be put in words (CO5, CO11). */
export function doneWords(done: DoneBrief): WordedEvent | StoredLine {
  return deedWords(done, done.code === undefined ? 'done' : 'failed');
}

function deedWords(
  { deed, text, element }: Omit<DoneBrief, 'code'>,
  way: WordedEvent['way'],
): WordedEvent | StoredLine {
  if (!deed) return { sort: 'stored', text };
  const role = NAMED_ROLES.find((named) => named === element?.role);
  return {
    sort: 'worded',
    word: wordOf(deed),
    way,
    role,
    name: element?.name,
    target: element ? undefined : deed.target,
    url: deed.url,
    value: deed.value,
  };
}

function wordOf({ word, value }: VerbPhrase): EventWord {
  if (value === undefined) return word;
  return word === 'type' ||
    word === 'press' ||
    word === 'select' ||
    word === 'wait' ||
    word === 'tabLabel' ||
    word === 'stop'
    ? WITH_VALUE[word]
    : word;
}

function wayOf({ phase, outcome, kind }: Pick<TimelineEvent, 'phase' | 'outcome' | 'kind'>): WordedEvent['way'] {
  if (phase === 'intent') return 'doing';
  return outcome === 'failed' || outcome === 'unknown' || kind === 'refused' ? 'failed' : 'done';
}
