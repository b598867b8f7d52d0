/**
 * Whether `text` matches a glob in which `*` stands for anything but `/`, `**` for anything, `?` for one character. A
 * glob without wildcards matches as a whole. Follows all places of the glob that the text may have reached at once, as
 * bits, so no glob is slow (2 048 characters each: under a millisecond); a regular expression would try them one after
 * the other.
 */
export function matchesGlob(text: string, glob: string): boolean {
  return globMatcher(glob)(text);
}

/** The same for one glob and many texts: the glob is read once. */
export function globMatcher(glob: string): (text: string) => boolean {
  const parts = partsOf(glob);
  const masks = masksOf(parts);
  const start = new Uint32Array(masks.star.length);
  start[0] = 1 | ((masks.star[0] ?? 0) & 1 ? 2 : 0);
  return (text) => {
    let reached = start.slice();
    let next = start.slice();
    for (const character of text) {
      if (!advance(reached, next, masks, character)) return false;
      const free = reached;
      reached = next;
      next = free;
    }
    return ((reached[parts.length >>> 5] ?? 0) & (1 << (parts.length & 31))) !== 0;
  };
}

type Part = { readonly is: 'character'; readonly value: string } | { readonly is: 'one' | 'some' | 'any' };

const WILDCARDS: Readonly<Record<string, Part>> = { '**': { is: 'any' }, '*': { is: 'some' }, '?': { is: 'one' } };

/** Adjacent stars become one, the widest of them. */
function partsOf(glob: string): Part[] {
  const parts: Part[] = [];
  for (const [value] of glob.matchAll(/\*\*|[^]/gu)) {
    const part = WILDCARDS[value] ?? { is: 'character', value };
    const before = parts.at(-1);
    if (!before || !isStar(part) || !isStar(before)) parts.push(part);
    else if (part.is === 'any') parts[parts.length - 1] = part;
  }
  return parts;
}

const isStar = ({ is }: Part): boolean => is === 'some' || is === 'any';

/** A set of places of a glob, 32 to a word. */
type Places = Uint32Array;

interface Masks {
  readonly star: Places;
  readonly any: Places;
  readonly one: Places;
  /** Places that accept this character, or any single one. */
  readonly wanted: ReadonlyMap<string, Places>;
}

function masksOf(parts: readonly Part[]): Masks {
  const where = (fits: (part: Part) => boolean): Places => {
    const places = new Uint32Array((parts.length >>> 5) + 1);
    for (const [place, part] of parts.entries())
      if (fits(part)) places[place >>> 5] = (places[place >>> 5] ?? 0) | (1 << (place & 31));
    return places;
  };
  const characters = new Set(parts.flatMap((part) => (part.is === 'character' ? [part.value] : [])));
  const wanted = new Map(
    [...characters].map((value) => [
      value,
      where((part) => part.is === 'one' || (part.is === 'character' && part.value === value)),
    ]),
  );
  return { star: where(isStar), any: where(({ is }) => is === 'any'), one: where(({ is }) => is === 'one'), wanted };
}

/**
 * Writes the states after one more character into `next`; false when there is none left. A star may match nothing, so
 * the state behind it is reached together with it.
 */
function advance(reached: Places, next: Places, masks: Masks, character: string): boolean {
  const wanted = masks.wanted.get(character) ?? masks.one;
  const stays = character === '/' ? masks.any : masks.star;
  let moved = 0;
  let passed = 0;
  let some = 0;
  for (let word = 0; word < reached.length; word += 1) {
    const at = reached[word] ?? 0;
    const here = at & (wanted[word] ?? 0);
    const now = (here << 1) | moved | passed | (at & (stays[word] ?? 0));
    const over = now & (masks.star[word] ?? 0);
    next[word] = now | (over << 1);
    moved = here >>> 31;
    passed = over >>> 31;
    some |= now;
  }
  return some !== 0;
}
