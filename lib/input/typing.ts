import { keyForText, keyByCode, type KeyDefinition } from './keys';

/**
 * One step of typing text (AC4). `key`: a key that exists on a US keyboard. `char`: Chrome's character event, for other
 * characters; it is dropped together with keys when queued input is discarded. `insert`: text too long for a character
 * event, or a piece of a long text; it cannot be discarded.
 */
export type Keystroke =
  | { readonly kind: 'key'; readonly key: KeyDefinition; readonly shift: boolean }
  | { readonly kind: 'char'; readonly text: string }
  | { readonly kind: 'insert'; readonly text: string };

/** UTF-16 units that `Input.dispatchKeyEvent` accepts as `text` (Chrome's WebKeyboardEvent). */
const MAX_CHAR_EVENT = 4;

/** Text of more characters is typed in pieces. */
const LONG = 200;
/**
 * Characters at both ends of a long text that are typed one by one: what the page does at the first and last key
 * happens.
 */
const ENDS = 20;
/** Most characters of one piece: a takeover stops the text between two pieces. */
const MOST_OF_PIECE = 500;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Splits text into keystrokes, one per visible character. Line ends of every kind become Enter, a tab the Tab key. */
export function keystrokesOf(text: string): Keystroke[] {
  return Array.from(graphemes.segment(text.replace(/\r\n?/g, '\n')), ({ segment }) => keystrokeOf(segment));
}

/**
 * Splits text into keystrokes as `keystrokesOf`; of a text of more than 200 characters all but the first and last 20
 * are joined into pieces of at most 500. Enter and Tab stay keys, because pages act on them.
 */
export function fastKeystrokesOf(text: string): Keystroke[] {
  const strokes = keystrokesOf(text);
  if (strokes.length <= LONG) return strokes;
  return [...strokes.slice(0, ENDS), ...joined(strokes.slice(ENDS, -ENDS)), ...strokes.slice(-ENDS)];
}

/** Characters that a keystroke types. */
export function lengthOf(stroke: Keystroke): number {
  return stroke.kind === 'insert' ? Array.from(graphemes.segment(stroke.text)).length : 1;
}

function joined(strokes: readonly Keystroke[]): Keystroke[] {
  const all: Keystroke[] = [];
  let piece: string[] = [];
  const end = (): void => {
    if (piece.length > 0) all.push({ kind: 'insert', text: piece.join('') });
    piece = [];
  };
  for (const stroke of strokes) {
    const text = textOf(stroke);
    if (text === undefined || piece.length === MOST_OF_PIECE) end();
    if (text === undefined) all.push(stroke);
    else piece.push(text);
  }
  end();
  return all;
}

/** Undefined for Enter and Tab. */
function textOf(stroke: Keystroke): string | undefined {
  if (stroke.kind !== 'key') return stroke.text;
  if (stroke.key.code === 'Enter' || stroke.key.code === 'Tab') return undefined;
  return stroke.shift ? stroke.key.shifted : stroke.key.key;
}

function keystrokeOf(grapheme: string): Keystroke {
  const named = grapheme === '\n' ? keyByCode('Enter') : grapheme === '\t' ? keyByCode('Tab') : undefined;
  if (named) return { kind: 'key', key: named, shift: false };
  const typed = keyForText(grapheme);
  if (typed) return { kind: 'key', ...typed };
  return { kind: grapheme.length <= MAX_CHAR_EVENT ? 'char' : 'insert', text: grapheme };
}
