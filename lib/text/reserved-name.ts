import { z } from 'zod';
import { cleanText } from './clean';

/** Names that only Wheelhouse gives: those of its owner, and its own. */
const TAKEN: ReadonlySet<string> = new Set(['owner', 'theowner', 'wheelhouse']);

/**
 * Letters and digits of other scripts that look like Latin ones, after NFKD and in lower case (Unicode TR39, as far as
 * the names above need it).
 */
const LIKE: Readonly<Record<string, string>> = {
  о: 'o',
  ο: 'o',
  օ: 'o',
  ס: 'o',
  '๐': 'o',
  〇: 'o',
  ჿ: 'o',
  '0': 'o',
  σ: 'o',
  ø: 'o',
  ѡ: 'w',
  ω: 'w',
  ա: 'w',
  ԝ: 'w',
  ɯ: 'w',
  ш: 'w',
  п: 'n',
  η: 'n',
  ո: 'n',
  ռ: 'n',
  е: 'e',
  ε: 'e',
  є: 'e',
  ҽ: 'e',
  ё: 'e',
  '3': 'e',
  г: 'r',
  ᴦ: 'r',
  ꮁ: 'r',
  һ: 'h',
  հ: 'h',
  н: 'h',
  ћ: 'h',
  '1': 'l',
  ӏ: 'l',
  і: 'l',
  ı: 'l',
  ι: 'l',
  ا: 'l',
  '|': 'l',
  ł: 'l',
  i: 'l',
  υ: 'u',
  ս: 'u',
  ц: 'u',
  ʋ: 'u',
  ѕ: 's',
  ꜱ: 's',
  '5': 's',
  $: 's',
};

/**
 * Whether a name reads as one of Wheelhouse's own, ignoring spaces, signs, accents, case and the difference between
 * letters that look alike.
 */
export function looksReserved(name: string): boolean {
  const plain = name.normalize('NFKD').toLowerCase();
  const letters = [...plain]
    .map((letter) => LIKE[letter] ?? letter)
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('vv', 'w');
  return TAKEN.has(letters);
}

/** Cleans a name that a caller gives: removes invisible characters and line breaks. */
export function reservedName(most: number): z.ZodType<string, string> {
  // Text that is too long is refused, never cut: it would be another name.
  return z
    .string()
    .max(most * 2)
    .transform((name) => cleanText(name.normalize('NFC'), most * 2))
    .pipe(z.string().min(1).max(most));
}

/** A participant's name: refuses names that read as the owner's or Wheelhouse's. */
export function unreservedName(most: number): z.ZodType<string, string> {
  return reservedName(most).refine((name) => !looksReserved(name), 'is a name that Wheelhouse keeps for itself');
}
