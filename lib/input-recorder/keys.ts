import { parseChord, printChord } from '@/lib/input/chord';
import { isModifier, MODIFIER_BITS, MODIFIERS, type HeldModifier } from '@/lib/input/modifiers';
import type { PersonKey } from '@/lib/input/key-event';

/** What a keydown means: a character for the field, a key or chord with an effect, or nothing by itself. */
export type KeyMeaning =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'press'; readonly key: string }
  | { readonly kind: 'none' };

const NONE: KeyMeaning = { kind: 'none' };
const ALT_GRAPH = MODIFIER_BITS.Control | MODIFIER_BITS.Alt;
const SHORTCUT = ALT_GRAPH | MODIFIER_BITS.Meta;

/** @param editable the focus is where characters are typed, so that a space is one */
export function meaningOf(event: PersonKey, editable: boolean): KeyMeaning {
  if (event.type === 'keyup') return NONE;
  const single = [...event.key].length === 1;
  const altGraph = (event.modifiers & ALT_GRAPH) === ALT_GRAPH && !/^[a-z0-9]$/i.test(event.key);
  const typed = single && ((event.modifiers & SHORTCUT) === 0 || altGraph);
  if (typed && (editable || event.key !== ' ')) return { kind: 'text', text: event.key };
  return chordOf(event.key, heldIn(event.modifiers));
}

/** The modifiers of CDP's bit field. */
export function heldIn(bits: number): HeldModifier[] {
  return MODIFIERS.filter((name) => (bits & MODIFIER_BITS[name]) !== 0);
}

/**
 * Ignores modifiers alone, dead keys and names that no keyboard has, so that every recorded key can be pressed again.
 */
function chordOf(key: string, modifiers: readonly HeldModifier[]): KeyMeaning {
  const name = key === ' ' ? 'Space' : key.length === 1 ? key.toLowerCase() : key;
  try {
    const chord = parseChord([...modifiers, name].join('+'), false);
    return isModifier(chord.key.key) ? NONE : { kind: 'press', key: withCapital(printChord(chord)) };
  } catch {
    // No key that an action could press: a media key, a dead key, or one that the client invented.
    return NONE;
  }
}

/** `Control+A` reads better than `Control+a`, and means the same (AC4). */
function withCapital(chord: string): string {
  return chord.replace(/(?<=\+)[a-z]$/, (letter) => letter.toUpperCase());
}
