/** JSON inside a step: where it ends, and what it says. */

export type JsonRead =
  | { readonly ok: true; readonly value: unknown; readonly end: number }
  | { readonly ok: false; readonly problem: string };

/** Reads the string, list or object that begins at `start`. Line breaks and tabs may stand in a string as they are. */
export function readJson(source: string, start: number): JsonRead {
  const end = source.charAt(start) === '"' ? stringEnd(source, start) : nestedEnd(source, start);
  if (end === undefined)
    return {
      ok: false,
      problem: source.charAt(start) === '"' ? 'this quoted text is never closed' : 'this value is never closed',
    };
  const value = parseLenient(source.slice(start, end));
  return value === undefined
    ? { ok: false, problem: 'this is not JSON: check quotes, commas and backslashes' }
    : { ok: true, value: value.json, end };
}

/** @returns the index just after the closing quote, undefined when there is none */
function stringEnd(source: string, start: number): number | undefined {
  for (let at = start + 1; at < source.length; at += 1) {
    const character = source.charAt(at);
    if (character === '\\') at += 1;
    else if (character === '"') return at + 1;
  }
  return undefined;
}

function nestedEnd(source: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < source.length; at += 1) {
    const character = source.charAt(at);
    if (character === '"') {
      const end = stringEnd(source, at);
      if (end === undefined) return undefined;
      at = end - 1;
    } else if (character === '[' || character === '{') {
      depth += 1;
    } else if (character === ']' || character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

function parseLenient(text: string): { readonly json: unknown } | undefined {
  const strict = text.replace(/[\n\r\t]/g, (character) =>
    text.startsWith('"') ? (SPELLING[character] ?? character) : ' ',
  );
  try {
    const json: unknown = JSON.parse(strict);
    return { json };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const SPELLING: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
