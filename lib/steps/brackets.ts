/**
 * The escapes of text in brackets (ST1), both ways. A backslash before any other character
 * stands for itself.
 */

const MEANING: Readonly<Record<string, string>> = { '[': '[', ']': ']', '\\': '\\', n: '\n', t: '\t', r: '\r' };
const SPELLING: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '[': '\\[',
  ']': '\\]',
};

export interface Bracketed {
  readonly text: string;
  /** Index just after the closing bracket. */
  readonly end: number;
}

/**
 * Reads the text in brackets whose `[` stands at `start`. Balanced brackets inside belong to the text.
 * @returns undefined when the closing bracket is missing
 */
export function readBrackets(source: string, start: number): Bracketed | undefined {
  let text = '';
  let depth = 0;
  for (let at = start + 1; at < source.length; at += 1) {
    const character = source.charAt(at);
    const escaped = character === '\\' ? MEANING[source.charAt(at + 1)] : undefined;
    if (escaped !== undefined) {
      text += escaped;
      at += 1;
      continue;
    }
    if (character === ']' && depth === 0) return { text, end: at + 1 };
    if (character === '[') depth += 1;
    if (character === ']') depth -= 1;
    text += character;
  }
  return undefined;
}

/**
 * Writes `text` in brackets, on one line, so that `readBrackets` gives it back. Balanced brackets are left as they are.
 */
export function printBrackets(text: string): string {
  const special = isBalanced(text) ? /[\\\n\t\r]/g : /[\\\n\t\r[\]]/g;
  return `[${text.replace(special, (character) => SPELLING[character] ?? character)}]`;
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '[') depth += 1;
    if (character === ']') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
