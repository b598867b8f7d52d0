import { COMMENT_LIMITS } from './comment';

export interface Named {
  readonly id: string;
  readonly name: string;
}

/**
 * Ids of the participants whom a text names with `@`, in the order of the text, each once. Of two names that begin
 * alike the longer one is meant, and two participants with one name are both meant.
 */
export function mentionsIn(text: string, participants: readonly Named[]): string[] {
  const lower = text.toLowerCase();
  const named = participants.filter(({ name }) => name !== '');
  const found: string[] = [];
  for (let at = lower.indexOf('@'); at !== -1; at = lower.indexOf('@', at + 1)) {
    if (isWordBefore(lower, at)) continue;
    const fitting = named.filter(({ name }) => isNamedAt(lower, at + 1, name.toLowerCase()));
    const longest = Math.max(0, ...fitting.map(({ name }) => name.length));
    found.push(...fitting.filter(({ name }) => name.length === longest).map(({ id }) => id));
  }
  return [...new Set(found)].slice(0, COMMENT_LIMITS.mentions);
}

/** `ada@example.com` mentions nobody. */
function isWordBefore(text: string, at: number): boolean {
  return at > 0 && /[\w.-]/.test(text.charAt(at - 1));
}

/** A name ends with its word; Chinese has no spaces between words. */
function isNamedAt(text: string, at: number, name: string): boolean {
  if (!text.startsWith(name, at)) return false;
  const next = text.charAt(at + name.length);
  return !/[\p{L}\p{N}]/u.test(next) || /\p{Script=Han}/u.test(next);
}
