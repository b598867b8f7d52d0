/**
 * Does `text` match a glob in which `*` stands for anything but `/`, `**` for anything, `?` for one character? A glob without wildcards matches as a whole.
 * Every place of the glob that the text may have reached is followed at once, so that no glob makes this slow; a regular expression would try them one after the other.
 */
export function matchesGlob(text: string, glob: string): boolean {
  const parts = partsOf(glob);
  let reached = spread(new Set([0]), parts);
  for (const character of text) {
    reached = spread(advance(reached, parts, character), parts);
    if (reached.size === 0) return false;
  }
  return reached.has(parts.length);
}

type Part = { readonly is: 'character'; readonly value: string } | { readonly is: 'one' | 'some' | 'any' };

const WILDCARDS: Readonly<Record<string, Part>> = { '**': { is: 'any' }, '*': { is: 'some' }, '?': { is: 'one' } };

function partsOf(glob: string): Part[] {
  return [...glob.matchAll(/\*\*|[^]/gu)].map(([value]): Part => WILDCARDS[value] ?? { is: 'character', value });
}

/** The places after one more character. */
function advance(reached: ReadonlySet<number>, parts: readonly Part[], character: string): Set<number> {
  const next = new Set<number>();
  for (const place of reached) {
    const part = parts[place];
    if (part === undefined) continue;
    if (part.is === 'any' || (part.is === 'some' && character !== '/')) next.add(place);
    if (part.is === 'one' || (part.is === 'character' && part.value === character)) next.add(place + 1);
  }
  return next;
}

/** A star may stand for nothing: the place behind it is reached with it. */
function spread(reached: Set<number>, parts: readonly Part[]): Set<number> {
  for (const place of reached) {
    const is = parts[place]?.is;
    if (is === 'any' || is === 'some') reached.add(place + 1);
  }
  return reached;
}
