import { MASK } from '@/lib/text/mask';
import { chanceIn, ORDINARY } from './addresses';
import { AhoCorasick, type TextSpan } from './aho-corasick';
import { ESCAPES, unescaped, asSpaces } from './unescape';

/** Levels of escaping that are undone: JSON in JSON in an address, for example. */
const LEVELS = 3;

/** How a page that repeats a secret may write it (SN6). */
interface Spellings {
  /** The secret itself, and reversed. */
  readonly plain: readonly string[];
  /** In base64 at each of its three places in a group, in base64url, in hex of either case. */
  readonly encoded: readonly string[];
  /** All of these as they look after escapes were undone. */
  readonly unescaped: readonly string[];
}

/** A shorter secret occurs in ordinary text too often: it is masked in its own field only. Characters. */
export const LEAST_SECRET = 6;
/** A longer secret is searched in pieces of this length. Characters. */
const PIECE = 64;

/**
 * Masks the secrets of one session in everything that is sent or stored, in the usual encodings (T14). One search over
 * all secrets, built once for a set; overlapping matches are masked together. Immutable: a further secret makes a new
 * redactor.
 */
export class Redactor {
  readonly #pieces: readonly string[];
  readonly #searches: { plain?: AhoCorasick; unescaped?: AhoCorasick; ours?: AhoCorasick } = {};

  /**
   * @param secrets the texts to mask; those shorter than the minimum are ignored
   * @param places hosts and path segments that held a secret before it was typed: they stay in addresses
   */
  constructor(
    secrets: readonly string[] = [],
    private readonly places: ReadonlySet<string> = new Set(),
  ) {
    this.#pieces = [...new Set(secrets.flatMap(piecesOf))];
  }

  get empty(): boolean {
    return this.#pieces.length === 0;
  }

  /** Redacts a text that a page wrote. */
  text(text: string, mask = MASK): string {
    return masked(text, this.#found(text), mask);
  }

  /**
   * Redacts a page address. A secret that is a plain word or number may be in the host, in a part of a path segment or
   * in a parameter name by chance: those stay.
   */
  address(url: string): string {
    const found = this.#found(url);
    return found.length === 0 ? url : masked(url, found.filter(this.#meant(url)), MASK);
  }

  /**
   * Redacts a sentence of ours, which may quote a page: a secret that is a plain word or number is masked only in
   * quotes and addresses.
   */
  sentence(text: string): string {
    if (this.empty) return text;
    const found = this.#found(text);
    if (found.length === 0) return text;
    const quotes = [...text.matchAll(QUOTED)].map(({ index, 0: { length } }): TextSpan => [index, index + length]);
    const quoted = found.filter(([from, to]) => quotes.some(([begin, end]) => from >= begin && to <= end));
    return masked(text, [...quoted, ...this.#ours.spans(text)].filter(this.#meant(text)), MASK);
  }

  /** Whether a match in this text is the secret rather than a coincidence. */
  #meant(text: string): (span: TextSpan) => boolean {
    const chance = chanceIn(text, this.places, this.#ours.spans(text));
    return (span) => !chance(span);
  }

  #found(text: string): TextSpan[] {
    return this.empty ? [] : [...this.#plain.spans(text), ...this.#escapedIn(text)];
  }

  #escapedIn(text: string): TextSpan[] {
    if (!ESCAPES.test(text)) return [];
    const found = undone(text, this.#unescaped, true);
    return text.includes('\\') ? [...found, ...undone(text, this.#unescaped, false)] : found;
  }

  get #plain(): AhoCorasick {
    return (this.#searches.plain ??= this.#searchFor(({ plain, encoded }) => [...plain, ...encoded]));
  }

  /** For texts in which escapes were undone. */
  get #unescaped(): AhoCorasick {
    return (this.#searches.unescaped ??= this.#searchFor(({ unescaped }) => unescaped));
  }

  /** For our own sentences: ignores secrets that are plain words or numbers, which may be our own words. */
  get #ours(): AhoCorasick {
    return (this.#searches.ours ??= this.#searchFor(
      ({ plain, encoded }, piece) => (ORDINARY.test(piece) ? encoded : [...plain, ...encoded]),
      enoughBesideWords,
    ));
  }

  #searchFor(
    pick: (spellings: Spellings, piece: string) => readonly string[],
    enough: (piece: string) => number = enoughOf,
  ): AhoCorasick {
    const typed = new Set(this.#pieces);
    return new AhoCorasick([...new Set(this.#pieces.flatMap((piece) => pick(spellingsOf(piece), piece)))], (text) =>
      typed.has(text) ? enough(text) : text.length,
    );
  }
}

/** A page may repeat a secret while it is being typed, so this share of its beginning is masked too. */
const ENOUGH = 0.75;
const enoughOf = ({ length }: string): number => Math.max(LEAST_SECRET, Math.ceil(length * ENOUGH));

/** In our own sentences a beginning that is a plain word is not masked: `snapshot` of `snapshot12`. */
function enoughBesideWords(piece: string): number {
  let enough = enoughOf(piece);
  while (enough < piece.length && ORDINARY.test(piece.slice(0, enough))) enough += 1;
  return enough;
}

const QUOTED = /“[^”]*”|"(?:[^"\\]|\\.)*"|「[^」]*」|[a-z][a-z\d+.-]*:\/\/\S+/giu;

function piecesOf(typed: string): string[] {
  // Also as forms and our own code clean it: trimmed, with several spaces as one.
  return [...new Set([typed.trim(), typed.trim().replace(/\s+/gu, ' ')])].flatMap(cutUp);
}

function cutUp(secret: string): string[] {
  if (secret.length < LEAST_SECRET) return [];
  const pieces = Array.from({ length: Math.ceil(secret.length / PIECE) }, (_, at) =>
    secret.slice(at * PIECE, (at + 1) * PIECE),
  );
  const last = pieces.at(-1);
  // The last piece is as long as the others, and so overlaps the one before.
  return pieces.length > 1 && last !== undefined && last.length < PIECE
    ? [...pieces.slice(0, -1), secret.slice(-PIECE)]
    : pieces;
}

/** The matches after escapes are undone, level by level, as ranges of the original text. */
function undone(text: string, search: AhoCorasick, backslashes: boolean): TextSpan[] {
  const found: TextSpan[] = [];
  let place = (at: number): number => at;
  let last = text;
  for (let level = 0; level < LEVELS && ESCAPES.test(last); level += 1) {
    const { text: next, from } = unescaped(last, backslashes);
    const outer = place;
    place = (at) => outer(from[at] ?? text.length);
    for (const [begin, end] of search.spans(next)) found.push([place(begin), place(end)]);
    if (next === last) break;
    last = next;
  }
  return found;
}

function masked(text: string, found: TextSpan[], mask: string): string {
  if (found.length === 0) return text;
  let shown = '';
  let at = 0;
  for (const [from, to] of joined(found)) {
    shown += text.slice(at, from) + mask;
    at = to;
  }
  return shown + text.slice(at);
}

function joined(spans: readonly TextSpan[]): TextSpan[] {
  const all: [number, number][] = [];
  for (const [from, to] of spans.toSorted(([one], [other]) => one - other)) {
    const last = all.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}

function spellingsOf(secret: string): Spellings {
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

/** The forms of a secret after undoing escapes, which changes a secret that itself looks like an escape. */
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
 * The characters that encode these bytes in base64 whatever surrounds them; `before`: bytes of the first group that
 * belong to other data.
 */
function base64At(bytes: Uint8Array, before: number): string {
  const all = btoa(String.fromCharCode(...new Uint8Array(before), ...bytes));
  return all.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}

function asUrl(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}
