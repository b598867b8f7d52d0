/**
 * Makes page text safe to show (GU3, SN6): removes control, bidi and other invisible characters, collapses white space,
 * and cuts at `most` characters, with a mark that says how many are left out. Source of the classes: Unicode Cc, Cf,
 * Co, Cs, Zl, Zp.
 */
export function cleanText(text: string, most: number): string {
  const head = text.length > most * 4 ? text.slice(0, most * 4) : text;
  const plain = head.replace(INVISIBLE, keepSpace).replace(/\s+/gu, ' ').trim();
  if (plain.length <= most && head.length === text.length) return plain;
  const shown = plain.slice(0, most).replace(LONE_END, '');
  return `${shown}…(+${text.length - shown.length})`;
}

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u034f\u115f\u1160\u3164\uffa0]/gu;
const LONE_END = /[\ud800-\udbff]$/u;

function keepSpace(character: string): string {
  return /[\s\u0085]/u.test(character) ? ' ' : '';
}

/** The same for text of several lines, such as a console line or a stack: breaks and indentation stay. */
export function cleanLines(text: string, most: number): string {
  const head = text.length > most * 2 ? text.slice(0, most * 2) : text;
  const plain = head.replaceAll('\r\n', '\n').replace(INVISIBLE, keepBreak);
  if (plain.length <= most && head.length === text.length) return plain;
  const shown = plain.slice(0, most).replace(LONE_END, '');
  return `${shown}…(+${text.length - shown.length})`;
}

function keepBreak(character: string): string {
  return character === '\n' || character === '\t' ? character : keepSpace(character);
}
