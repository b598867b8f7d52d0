import { asSpaces, unescaped } from './unescape';

/** Levels of escaping that are undone: JSON in JSON in an address, for example. */
export const LEVELS = 3;

/** How a page that repeats a secret may write it (security.md 1.7). */
export interface Spellings {
  /** As it stands, and reversed. */
  readonly plain: readonly string[];
  /** In base64 at each of its three places in a group, in base64url, in hex of either case. */
  readonly encoded: readonly string[];
  /** All of these as they are where escapes were undone. */
  readonly unescaped: readonly string[];
}

export function spellingsOf(secret: string): Spellings {
  const bytes = new TextEncoder().encode(secret);
  const plain = [secret, [...secret].toReversed().join('')];
  const base64 = [0, 1, 2].map((before) => base64At(bytes, before));
  const hex = hexOf(bytes);
  const encoded = [...base64, ...base64.map(asUrl)];
  return {
    plain,
    encoded: [...encoded, ...hex],
    unescaped: [...plain.flatMap(levelsOf), ...encoded.map(asSpaces), ...hex],
  };
}

/** A secret that looks like an escape itself is changed by undoing, too. */
function levelsOf(text: string): string[] {
  const levels = [asSpaces(text)];
  for (const backslashes of [true, false]) {
    for (let level = 0, last = text; level < LEVELS; level += 1) {
      last = unescaped(last, backslashes).text;
      levels.push(last);
    }
  }
  return levels.filter((one) => one.length * 2 >= text.length);
}

function hexOf(bytes: Uint8Array): string[] {
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [digits, digits.toUpperCase()];
}

/**
 * The characters that stand for these bytes alone, whatever stands before and after them; `before`: bytes of the first
 * group that are another's.
 */
function base64At(bytes: Uint8Array, before: number): string {
  const all = btoa(String.fromCharCode(...new Uint8Array(before), ...bytes));
  return all.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}

function asUrl(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}
