/** Fields of an action, or of a request for a snapshot, that hold a selector. */
const SELECTORS: ReadonlySet<string> = new Set(['selector', 'frame']);
/**
 * What a selector needs to find elements by what they hold (`[value^=…]`, a chosen option by `:checked`), or to spell
 * that otherwise: an escape. A selector that says one of these for another reason is refused too: it can be written
 * without.
 */
const TELLING = /value|checked|\\/i;

/** Whether a selector anywhere in it may find elements by what fields hold. */
export function asksForValues(asked: unknown): boolean {
  if (Array.isArray(asked)) return asked.some(asksForValues);
  if (typeof asked !== 'object' || asked === null) return false;
  return Object.entries(asked).some(([field, held]: [string, unknown]) =>
    typeof held === 'string' ? SELECTORS.has(field) && TELLING.test(held) : asksForValues(held),
  );
}
