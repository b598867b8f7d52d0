import type { TimelineEvent } from '@/lib/protocol/views';

/** Kinds of events that have words of their own: keys of the `event` message namespace. */
const WORDED = [
  'click',
  'hover',
  'focus',
  'type',
  'press',
  'check',
  'select',
  'highlight',
  'drag',
  'scrollIntoView',
  'scroll',
  'navigate',
  'history',
  'wait',
  'evaluate',
  'snapshot',
  'screenshot',
  'resize',
  'dialog',
  'input',
  'navigation',
  'join',
  'leave',
] as const;

/** What changed hands how, by the beginning of the server's line. */
const CONTROL = [
  ['took the wheel', 'took'],
  ['started driving', 'started'],
  ['let go of the wheel', 'letGo'],
  ['handed the wheel back', 'handedBack'],
] as const;

/** Kinds that read better with what was typed, pressed, chosen or waited for. */
const WITH_TEXT = { type: 'typeText', press: 'pressText', select: 'selectText', wait: 'waitText' } as const;

export type EventWord = (typeof WORDED)[number] | (typeof CONTROL)[number][1] | (typeof WITH_TEXT)[keyof typeof WITH_TEXT] | 'handedBackNote';

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
  /** Host of the address that was opened; with its path for where the page is now. */
  readonly host: string | undefined;
  /** What was typed, pressed, chosen or waited for; never what the server keeps hidden (SN6). */
  readonly value: string | undefined;
}

export type EventWords =
  | WordedEvent
  /** The server's own line; `who` says whether the name of the actor belongs before it. */
  | { readonly sort: 'plain'; readonly text: string; readonly who: boolean };

/** What happened last, ready to be put in words (ui.md, wall: "the last action in words"). */
export function eventWords(event: TimelineEvent): EventWords {
  const word = wordOf(event);
  if (word === undefined) return { sort: 'plain', text: event.text, who: event.actor.kind !== 'system' && event.phase === 'event' };
  const role = NAMED_ROLES.find((named) => named === event.element?.role);
  return { sort: 'worded', word, way: wayOf(event), role, name: event.element?.name, host: event.kind === 'navigation' ? placeIn(event.text) : hostIn(event.text), value: valueIn(event) };
}

function wordOf(event: TimelineEvent): EventWord | undefined {
  if (event.kind === 'control') {
    const word = CONTROL.find(([beginning]) => event.text.startsWith(beginning))?.[1];
    return word === 'handedBack' && valueIn(event) !== undefined ? 'handedBackNote' : word;
  }
  const kind = WORDED.find((worded) => worded === event.kind);
  // A dialog that opened is told with its text; one that was answered is an action.
  if (kind === 'dialog' && event.phase === 'event') return undefined;
  if (kind === 'navigation' && hostIn(event.text) === undefined) return undefined;
  return (kind === 'type' || kind === 'press' || kind === 'select' || kind === 'wait') && valueIn(event) !== undefined ? WITH_TEXT[kind] : kind;
}

function wayOf(event: TimelineEvent): 'doing' | 'failed' | 'done' {
  if (event.phase === 'intent') return 'doing';
  return event.outcome === 'failed' || event.outcome === 'unknown' ? 'failed' : 'done';
}

function hostIn(text: string): string | undefined {
  const address = /https?:\/\/[^\s"'<>]+/u.exec(text)?.[0];
  return address !== undefined && URL.canParse(address) ? new URL(address).host : undefined;
}

/** Host and path, without what comes after `?`: that is long and seldom for people. */
function placeIn(text: string): string | undefined {
  const address = /https?:\/\/[^\s"'<>]+/u.exec(text)?.[0];
  if (address === undefined || !URL.canParse(address)) return undefined;
  const { host, pathname } = new URL(address);
  return pathname === '/' ? host : `${host}${pathname}`.slice(0, 120);
}

/** The server's line begins `type “Bristol” into …`, `press Enter`, `select “24 Nov” in …`, `wait for “done”` (lib/actions/describe). */
function valueIn({ kind, text }: TimelineEvent): string | undefined {
  if (kind === 'control') return /: “(.{1,1000})”$/u.exec(text)?.[1];
  if (kind === 'press') return /^press ([^—]{1,40})/u.exec(text)?.[1]?.trim();
  return /^(?:type|select|wait for) “([^”]{1,120})”/u.exec(text)?.[1];
}
