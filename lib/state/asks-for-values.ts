/** Fields of an action, or of a wish for a snapshot, that hold a selector. */
const SELECTORS: ReadonlySet<string> = new Set(['selector', 'frame']);
const VALUE = /\[\s*(?:[\w*-]*\|)?\s*value\s*[~|^$*]?=/i;
/** Of boxes and radio buttons it says what a snapshot says too. */
const BOXES = /(?<=^|[\s>+~,(])input[^\s>+~,()]*:checked/gi;
const CHECKED = /:checked/i;

/** Whether a selector anywhere in it finds elements by what fields hold: `[value^=…]`, a chosen option by `:checked`. */
export function asksForValues(asked: unknown): boolean {
  if (Array.isArray(asked)) return asked.some(asksForValues);
  if (typeof asked !== 'object' || asked === null) return false;
  return Object.entries(asked).some(([field, held]: [string, unknown]) => (typeof held === 'string' ? SELECTORS.has(field) && readsValues(held) : asksForValues(held)));
}

function readsValues(selector: string): boolean {
  const plain = decoded(selector.replace(/\/\*.*?\*\//gs, ''));
  return VALUE.test(plain) || CHECKED.test(plain.replace(BOXES, ''));
}

/** Without the escapes of CSS. */
function decoded(selector: string): string {
  return selector.replace(/\\(?:([\da-f]{1,6})\s?|(.))/gis, (_, code: string | undefined, plain: string | undefined) => (code === undefined ? (plain ?? '') : String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10_ff_ff))));
}
