/** Fields of an action, or of a request for a snapshot, that hold a selector. */
const SELECTORS: ReadonlySet<string> = new Set(['selector', 'frame']);
/**
 * Selector parts that test the content of fields: `[value^=…]`, `:checked` for a chosen option, and escapes, which
 * could spell either. A selector that has one of these for another reason is refused too; it can be rewritten without.
 */
const TELLING = /value|checked|\\/i;

/** Whether any selector inside may find elements by the content of fields. */
export function asksForValues(asked: unknown): boolean {
  if (Array.isArray(asked)) return asked.some(asksForValues);
  if (typeof asked !== 'object' || asked === null) return false;
  return Object.entries(asked).some(([field, held]: [string, unknown]) =>
    typeof held === 'string' ? SELECTORS.has(field) && TELLING.test(held) : asksForValues(held),
  );
}
