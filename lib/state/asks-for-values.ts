/** Fields of an action, or of a wish for a snapshot, that hold a selector. */
const SELECTORS: ReadonlySet<string> = new Set(['selector', 'frame']);
const VALUE = /\[\s*(?:[^\s[\]]*\|)?\s*value\s*[~|^$*]?=/i;
/** Of boxes and radio buttons it says what a snapshot says too. */
const BOXES = /(?<=^|[\s>+~,(])input[^\s>+~,()]*:checked/gi;
const CHECKED = /:checked/i;
/**
 * The one token of CSS in which neither comments nor strings count; no selector needs it, but `:is(…)` passes over it.
 */
const ADDRESS = /url\(/i;
/** An escape, a string (which a line end or the end of the selector ends too), a comment. Source: CSS Syntax 3, 4.3. */
const PARTS = /\\.|"(?:\\(?:\r\n|.)|[^"\\\n\r\f])*"?|'(?:\\(?:\r\n|.)|[^'\\\n\r\f])*'?|\/\*.*?(?:\*\/|$)/gs;
const ESCAPES = /\\(?:([\da-f]{1,6})(?:\r\n|\s)?|(.))/gis;

/**
 * Whether a selector anywhere in it finds elements by what fields hold: `[value^=…]`, a chosen option by `:checked`.
 */
export function asksForValues(asked: unknown): boolean {
  if (Array.isArray(asked)) return asked.some(asksForValues);
  if (typeof asked !== 'object' || asked === null) return false;
  return Object.entries(asked).some(([field, held]: [string, unknown]) =>
    typeof held === 'string' ? SELECTORS.has(field) && readsValues(held) : asksForValues(held),
  );
}

function readsValues(selector: string): boolean {
  const plain = selector.replace(PARTS, bare).replace(ESCAPES, named);
  return ADDRESS.test(plain) || VALUE.test(plain) || CHECKED.test(plain.replace(BOXES, ''));
}

/** What a string or a comment says is no part of the selector's own words. */
function bare(part: string): string {
  if (part.startsWith('\\')) return part;
  return part.startsWith('/') ? '' : '""';
}

/** An escaped character is part of a name, whatever it is. */
function named(_: string, code: string | undefined, plain: string | undefined): string {
  const character =
    code === undefined ? (plain ?? '') : String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10_ff_ff));
  return /[\w-]/.test(character) ? character : '_';
}
