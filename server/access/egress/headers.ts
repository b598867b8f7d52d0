/**
 * Of one connection only, not of the message (RFC 9110, 7.6.1), and those of the host, which is written anew from the
 * target.
 */
const PER_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
]);

/** Raw header lines, name after value, that are handed on; `keep`: of one hop, needed all the same. */
export function endToEnd(raw: readonly string[], keep: readonly string[] = []): string[] {
  const named = new Set(
    valuesOf(raw, 'connection').flatMap((value) => value.split(',').map((name) => name.trim().toLowerCase())),
  );
  return pairs(raw).flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    if (keep.includes(lower)) return [name, value];
    return PER_HOP.has(lower) || named.has(lower) || lower.startsWith('proxy-') ? [] : [name, value];
  });
}

function valuesOf(raw: readonly string[], wanted: string): string[] {
  return pairs(raw).flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value] : []));
}

function pairs(raw: readonly string[]): [name: string, value: string][] {
  const found: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) found.push([raw[at] ?? '', raw[at + 1] ?? '']);
  return found;
}
