import { MASK } from '@/lib/text/mask';
import { LEVELS, spellingsOf } from './spellings';
import { ESCAPES, unescaped } from './unescape';

/** A shorter secret stands in ordinary text too often: it is masked in its own field only. Characters. */
export const LEAST_SECRET = 6;
/** A longer one is looked for in pieces of this length. Characters. */
const PIECE = 64;
/** What cut a text short; a secret may have been cut with it. */
const CUT = '…';

/**
 * Finds the secrets of one session in whatever goes out or is stored, in the usual encodings (T14). One search over all of them, made once for a set of
 * secrets; what overlaps is masked together. Immutable: another secret makes another redactor.
 */
export class Redactor {
  readonly #pieces: readonly string[];
  readonly #plain: Search;
  /** For texts in which escapes were undone. */
  readonly #unescaped: Search;
  /** For our own sentences: without words and numbers as they stand, which may be ours. */
  readonly #ours: Search;

  /** @param secrets those below the least length are left out */
  constructor(secrets: readonly string[] = []) {
    this.#pieces = [...new Set(secrets.flatMap(piecesOf))].toSorted((one, other) => other.length - one.length);
    const all = this.#pieces.map((piece) => ({ piece, ...spellingsOf(piece) }));
    this.#plain = searchFor(all.flatMap(({ plain, encoded }) => [...plain, ...encoded]));
    this.#unescaped = searchFor(all.flatMap((one) => one.unescaped));
    this.#ours = searchFor(all.flatMap(({ piece, plain, encoded }) => (ORDINARY.test(piece) ? encoded : [...plain, ...encoded])));
  }

  get empty(): boolean {
    return this.#pieces.length === 0;
  }

  /** A text that a page wrote. */
  text(text: string, mask = MASK): string {
    return masked(text, this.#found(text), mask);
  }

  /** A sentence of ours that may quote a page: a secret that is a plain word or number is masked where it is quoted or in an address only. */
  sentence(text: string): string {
    if (this.empty) return text;
    const quotes = [...text.matchAll(QUOTED)].map(({ index, 0: { length } }): Span => [index, index + length]);
    const quoted = this.#found(text).filter(([from, to]) => quotes.some(([begin, end]) => from >= begin && to <= end));
    return masked(text, [...quoted, ...spansOf(text, this.#ours)], MASK);
  }

  #found(text: string): Span[] {
    if (this.empty) return [];
    const found = [...spansOf(text, this.#plain), ...this.#escapedIn(text)];
    return text.includes(CUT) ? [...found, ...this.#cutOff(text)] : found;
  }

  #escapedIn(text: string): Span[] {
    if (!ESCAPES.test(text)) return [];
    const found = undone(text, this.#unescaped, true);
    return text.includes('\\') ? [...found, ...undone(text, this.#unescaped, false)] : found;
  }

  /** The beginning of a secret right before the place where a text was cut. */
  #cutOff(text: string): Span[] {
    const found: Span[] = [];
    for (let end = text.indexOf(CUT), seen = 0; end >= 0 && seen < MOST_CUTS; end = text.indexOf(CUT, end + 1), seen += 1) {
      const tail = text.slice(Math.max(0, end - PIECE), end);
      const length = Math.max(0, ...this.#pieces.map((piece) => overlap(tail, piece)));
      if (length >= LEAST_CUT) found.push([end - length, end]);
    }
    return found;
  }
}

type Span = readonly [from: number, to: number];
type Search = readonly RegExp[];

const GROUP = 400;

const MOST_CUTS = 50;
const LEAST_CUT = 4;
/** May stand in a sentence of ours by chance. */
const ORDINARY = /^(?:\p{L}+|\p{N}+)$/u;
const QUOTED = /“[^”]*”|"(?:[^"\\]|\\.)*"|「[^」]*」|[a-z][a-z\d+.-]*:\/\/\S+/giu;

function piecesOf(secret: string): string[] {
  if (secret.length < LEAST_SECRET) return [];
  const pieces = Array.from({ length: Math.ceil(secret.length / PIECE) }, (_, at) => secret.slice(at * PIECE, (at + 1) * PIECE));
  const last = pieces.at(-1);
  // The last piece is as long as the others, and so overlaps the one before.
  return pieces.length > 1 && last !== undefined && last.length < PIECE ? [...pieces.slice(0, -1), secret.slice(-PIECE)] : pieces;
}

/** Literals in groups: one expression of many more is slow in V8 (measured: 200 secrets at once take a hundred times as long as three groups of them). */
function searchFor(sources: readonly string[]): Search {
  const all = [...new Set(sources)];
  return Array.from({ length: Math.ceil(all.length / GROUP) }, (_, at) => new RegExp(all.slice(at * GROUP, (at + 1) * GROUP).join('|'), 'g'));
}

/** Where it is found once escapes are undone, level by level. */
function undone(text: string, search: Search, backslashes: boolean): Span[] {
  const found: Span[] = [];
  let place = (at: number): number => at;
  let last = text;
  for (let level = 0; level < LEVELS && ESCAPES.test(last); level += 1) {
    const { text: next, from } = unescaped(last, backslashes);
    const outer = place;
    place = (at) => outer(from[at] ?? text.length);
    for (const [begin, end] of spansOf(next, search)) found.push([place(begin), place(end)]);
    if (next === last) break;
    last = next;
  }
  return found;
}

/** All matches, also those that begin inside another. */
function spansOf(text: string, searches: Search): Span[] {
  const found: Span[] = [];
  for (const search of searches) {
    search.lastIndex = 0;
    for (let match = search.exec(text); match; match = search.exec(text)) {
      found.push([match.index, match.index + match[0].length]);
      search.lastIndex = match.index + 1;
    }
  }
  return found;
}

function masked(text: string, found: Span[], mask: string): string {
  if (found.length === 0) return text;
  let shown = '';
  let at = 0;
  for (const [from, to] of joined(found)) {
    shown += text.slice(at, from) + mask;
    at = to;
  }
  return shown + text.slice(at);
}

function joined(spans: readonly Span[]): Span[] {
  const all: [number, number][] = [];
  for (const [from, to] of spans.toSorted(([one], [other]) => one - other)) {
    const last = all.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}

/** How much of the beginning of `piece` stands at the end of `tail`, short of all of it. */
function overlap(tail: string, piece: string): number {
  for (let length = Math.min(tail.length, piece.length - 1); length >= LEAST_CUT; length -= 1) if (tail.endsWith(piece.slice(0, length))) return length;
  return 0;
}

