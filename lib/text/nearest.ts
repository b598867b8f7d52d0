/** Longer than every known name: such an input is not a misspelling of one. */
const LONGEST = 40;

/**
 * Names close to a misspelt one, closest first, at most `most`; for "did you mean". Damerau-free edit distance on lower
 * case.
 */
export function nearest(wrong: string, names: readonly string[], most = 2): string[] {
  if (wrong.length > LONGEST) return [];
  const limit = Math.max(2, Math.floor(wrong.length / 3));
  return names
    .map((name) => ({ name, distance: editDistance(wrong.toLowerCase(), name.toLowerCase()) }))
    .filter((entry) => entry.distance <= limit)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map((entry) => entry.name);
}

/** Levenshtein distance, one row at a time. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replace, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
