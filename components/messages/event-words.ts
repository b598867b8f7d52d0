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
  /** What the caller named, where no element was found for it. */
  readonly target: string | undefined;
  readonly url: string | undefined;
  /** What was typed, pressed, chosen or waited for; never what the server keeps hidden (SN6). */
  readonly value: string | undefined;
}

/** A row of an older server: its own line. */
interface StoredLine {
  readonly kind: 'stored';
  readonly text: string;
}

export type EventWords = WordedEvent | { readonly kind: 'said'; readonly said: Message } | StoredLine;

/** What happened, ready to be put in words (ui.md, wall: "the last action in words"). */
export function eventWords({ said, ...event }: TimelineEvent): EventWords {
  return said ? { kind: 'said', said } : deedWords(event, wayOf(event));
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
