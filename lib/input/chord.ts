import { WheelhouseError } from '@/lib/errors/error';
import { nearest } from '@/lib/text/nearest';
import { KEYS, keyForText, type KeyDefinition } from './keys';
import { MODIFIERS, settleModifiers, type HeldModifier } from './modifiers';
import type { Modifier } from '@/lib/actions/shared';

/** Keys pressed together: modifiers first, then one key. A chord may be a lone modifier. */
export interface Chord {
  readonly modifiers: readonly HeldModifier[];
  readonly key: KeyDefinition;
}

const MODIFIER_NAMES: Readonly<Record<string, Modifier>> = {
  control: 'Control',
  ctrl: 'Control',
  ctl: 'Control',
  shift: 'Shift',
  alt: 'Alt',
  option: 'Alt',
  opt: 'Alt',
  meta: 'Meta',
  cmd: 'Meta',
  command: 'Meta',
  super: 'Meta',
  win: 'Meta',
  windows: 'Meta',
  controlormeta: 'ControlOrMeta',
  cmdorctrl: 'ControlOrMeta',
  commandorcontrol: 'ControlOrMeta',
  mod: 'ControlOrMeta',
};

const ALIASES: Readonly<Record<string, string>> = {
  esc: 'Escape',
  return: 'Enter',
  del: 'Delete',
  ins: 'Insert',
  bksp: 'Backspace',
  back: 'Backspace',
  space: ' ',
  spacebar: ' ',
  plus: '+',
  minus: '-',
  up: 'ArrowUp',
  down: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  pgup: 'PageUp',
  pageup: 'PageUp',
  pgdn: 'PageDown',
  pgdown: 'PageDown',
  pagedown: 'PageDown',
  menu: 'ContextMenu',
};

const byName = new Map<string, KeyDefinition>();
for (const key of KEYS) {
  for (const name of [key.code, key.key])
    if (name.length > 1 && !byName.has(name.toLowerCase())) byName.set(name.toLowerCase(), key);
}

/**
 * Reads `Control+Shift+A`, `esc`, `F5`, `+`, `Control++`. Names are case-insensitive; a single character means the key
 * that types it, with Shift where the keyboard needs it, except that a letter beside Control, Alt or Meta is the bare
 * key: `Control+A` holds no Shift. `mac` decides `ControlOrMeta`. Throws BAD_REQUEST naming the part that is no key,
 * with near names.
 */
export function parseChord(text: string, mac: boolean): Chord {
  const { before, last } = splitChord(text);
  const modifiers = before.map((part) => modifierNamed(part, text));
  const loneModifier = MODIFIER_NAMES[last.toLowerCase()];
  if (loneModifier !== undefined)
    return modifierChord(settleModifiers([...modifiers, loneModifier], mac), settleModifiers([loneModifier], mac));
  const found = keyNamed(last, text);
  const bare = found.shift && isLetter(last) && modifiers.some((modifier) => modifier !== 'Shift');
  return {
    modifiers: settleModifiers(found.shift && !bare ? [...modifiers, 'Shift'] : modifiers, mac),
    key: found.key,
  };
}

function splitChord(text: string): { before: string[]; last: string } {
  const trimmed = text === ' ' ? text : text.trim();
  if (trimmed === '+' || trimmed.endsWith('++')) return { before: parts(trimmed.slice(0, -2)), last: '+' };
  const all = trimmed.split('+');
  return { before: parts(all.slice(0, -1).join('+')), last: trimmed === ' ' ? ' ' : (all.at(-1) ?? '').trim() };
}

function parts(text: string): string[] {
  return text === '' ? [] : text.split('+').map((part) => part.trim());
}

function modifierNamed(part: string, whole: string): Modifier {
  const modifier = MODIFIER_NAMES[part.toLowerCase()];
  if (modifier !== undefined) return modifier;
  throw notAKey(part, whole, 'a modifier', Object.values(MODIFIER_NAMES));
}

function keyNamed(part: string, whole: string): { key: KeyDefinition; shift: boolean } {
  const name = ALIASES[part.toLowerCase()] ?? part;
  const typed = keyForText(name);
  if (typed) return typed;
  const key = byName.get(name.toLowerCase());
  if (key) return { key, shift: false };
  throw notAKey(part, whole, 'a key', [...new Set(KEYS.map((known) => known.key).filter((name) => name.length > 1))]);
}

function modifierChord(all: readonly HeldModifier[], own: readonly HeldModifier[]): Chord {
  const [name] = own;
  const key = KEYS.find((candidate) => candidate.key === name);
  if (key === undefined || name === undefined) throw new WheelhouseError('BAD_REQUEST', 'The chord names no key.');
  return { modifiers: all.filter((modifier) => modifier !== name), key };
}

function isLetter(text: string): boolean {
  return /^[A-Za-z]$/.test(text);
}

/** A shorter name gets no suggestion. */
const MISSPELT = 3;

function notAKey(part: string, whole: string, what: string, known: readonly string[]): WheelhouseError {
  // One or two characters would only be near to names such as F1.
  const close = part.length < MISSPELT ? [] : nearest(part, [...new Set(known)]);
  const cure = close.length > 0 ? ` Did you mean ${close.map((name) => `"${name}"`).join(' or ')}?` : '';
  return new WheelhouseError(
    'BAD_REQUEST',
    `"${part.slice(0, 40)}" in "${whole.slice(0, 60)}" is not ${what}.${cure}`,
    {
      hint: 'Write a chord as modifiers and one key joined by +, for example Control+A, Shift+Tab or Enter. To enter text, use the action "type".',
      details: { fields: [{ field: 'key', problem: `is not ${what}` }] },
    },
  );
}

/** The chord as it is written for people and flows: `Control+Shift+a`. */
export function printChord(chord: Chord): string {
  const key = chord.key.key === ' ' ? 'Space' : chord.key.key;
  return [...MODIFIERS.filter((modifier) => chord.modifiers.includes(modifier)), key].join('+');
}
