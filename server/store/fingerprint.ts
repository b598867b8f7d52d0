import { createHash } from 'node:crypto';

/** SHA-256 (hex) of a value as JSON with sorted keys, without the fields of `except`: equal for equal requests however they were spelled. */
export function fingerprintOf(value: Readonly<Record<string, unknown>>, except: readonly string[] = ['id']): string {
  const kept = Object.fromEntries(Object.entries(value).filter(([key]) => !except.includes(key)));
  return createHash('sha256').update(canonicalJson(kept)).digest('hex');
}

/** JSON in which object keys are sorted at every depth; undefined fields are left out. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  // Built as entries, not assigned: a key named __proto__ stays a key.
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, sorted(item)]));
}
