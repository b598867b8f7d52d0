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
  'join',
  'leave',
] as const;
export type WordedKind = (typeof WORDED)[number];

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

export type EventWords =
  /** Words for the kind: who did it, whether it still runs, on what. */
  | {
      readonly sort: 'worded';
      readonly kind: WordedKind;
      readonly way: 'doing' | 'failed' | 'done';
      readonly role: NamedRole | undefined;
      /** Name of the element; page-made text. */
      readonly name: string | undefined;
      /** Host of the address that was opened. */
      readonly host: string | undefined;
    }
  /** The server's own line. */
  | { readonly sort: 'plain'; readonly text: string };

/** What happened last, ready to be put in words (ui.md, wall: "the last action in words"). */
export function eventWords(event: TimelineEvent): EventWords {
  const kind = WORDED.find((worded) => worded === event.kind);
  if (!kind || (event.phase === 'event' && kind === 'dialog')) return { sort: 'plain', text: event.text };
  const role = NAMED_ROLES.find((named) => named === event.element?.role);
  return { sort: 'worded', kind, way: wayOf(event), role, name: event.element?.name, host: hostIn(event.text) };
}

function wayOf(event: TimelineEvent): 'doing' | 'failed' | 'done' {
  if (event.phase === 'intent') return 'doing';
  return event.outcome === 'failed' || event.outcome === 'unknown' ? 'failed' : 'done';
}

function hostIn(text: string): string | undefined {
  const address = /https?:\/\/[^\s"'<>]+/u.exec(text)?.[0];
  return address !== undefined && URL.canParse(address) ? new URL(address).host : undefined;
}
