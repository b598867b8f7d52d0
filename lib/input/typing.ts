import { keyForText, keyByCode, type KeyDefinition } from './keys';

/**
 * One step of typing text (AC4). `key`: a key that exists on a US keyboard. `char`: Chrome's character event, for other
 * characters; it is dropped together with keys when queued input is discarded. `insert`: text too long for a character
 * event; it cannot be discarded.
 */
export type Keystroke =
  | { readonly kind: 'key'; readonly key: KeyDefinition; readonly shift: boolean }
  | { readonly kind: 'char'; readonly text: string }
  | { readonly kind: 'insert'; readonly text: string };

/** UTF-16 units that `Input.dispatchKeyEvent` accepts as `text` (Chrome's WebKeyboardEvent). */
const MAX_CHAR_EVENT = 4;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Splits text into keystrokes, one per visible character. Line ends of every kind become Enter, a tab the Tab key. */
export function keystrokesOf(text: string): Keystroke[] {
  return Array.from(graphemes.segment(text.replace(/\r\n?/g, '\n')), ({ segment }) => keystrokeOf(segment));
}

function keystrokeOf(grapheme: string): Keystroke {
  const named = grapheme === '\n' ? keyByCode('Enter') : grapheme === '\t' ? keyByCode('Tab') : undefined;
  if (named) return { kind: 'key', key: named, shift: false };
  const typed = keyForText(grapheme);
  if (typed) return { kind: 'key', ...typed };
  return { kind: grapheme.length <= MAX_CHAR_EVENT ? 'char' : 'insert', text: grapheme };
}
