/** A text with one level of escaping undone, and where each of its characters came from. */
export interface Unescaped {
  readonly text: string;
  /** Maps a position in `text`, and its end, to a position in the input. */
  readonly from: Uint32Array;
}

/** Whether there may be anything to undo. */
export const ESCAPES = /[%\\&+\u00a0]/;

const ALL = /(?:%[\da-f]{2})+|\\(?:u[\da-f]{4}|x[\da-f]{2}|[^ux])|&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,4});/gi;
/** Page escapes without those of JSON and scripts, because a backslash may also stand for itself. */
const OF_PAGES = /(?:%[\da-f]{2})+|&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,4});/gi;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const SHORT: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' };

/**
 * Undoes percent-encoding, escapes of JSON and scripts, and HTML entities anywhere in a text; a plus sign becomes a
 * space, as in forms.
 * @param backslashes also undo the escapes of JSON and scripts
 */
export function unescaped(text: string, backslashes = true): Unescaped {
  const from = new Uint32Array(text.length + 1);
  let out = '';
  let at = 0;
  const keep = (until: number): void => {
    for (let index = at; index < until; index += 1) from[out.length + index - at] = index;
    out += text.slice(at, until);
    at = until;
  };
  for (const { 0: escape, index } of text.matchAll(backslashes ? ALL : OF_PAGES)) {
    keep(index);
    if (escape.startsWith('%')) out = putBytes(escape, index, out, from);
    else {
      const char = charOf(escape);
      for (let unit = 0; unit < char.length; unit += 1) from[out.length + unit] = index;
      out += char;
    }
    at = index + escape.length;
  }
  keep(text.length);
  from[out.length] = text.length;
  return { text: asSpaces(out), from: from.subarray(0, out.length + 1) };
}

export function asSpaces(text: string): string {
  return text.replace(/[+\u00a0]/g, ' ');
}

function charOf(escape: string): string {
  const body = escape.startsWith('&') ? escape.slice(1, -1) : escape.slice(1);
  if (escape.startsWith('&'))
    return body.startsWith('#') ? entity(body.slice(1)) : (NAMED[body.toLowerCase()] ?? escape);
  if (body.length > 1 && /^[ux]/i.test(body)) return String.fromCharCode(Number.parseInt(body.slice(1), 16));
  return SHORT[body] ?? body;
}

function entity(number: string): string {
  const code = /^x/i.test(number) ? Number.parseInt(number.slice(1), 16) : Number(number);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

/** Decodes a run of percent-encoded bytes as UTF-8; each byte that is not valid UTF-8 becomes one character. */
function putBytes(run: string, start: number, before: string, from: Uint32Array): string {
  const bytes = Array.from({ length: run.length / 3 }, (_, at) =>
    Number.parseInt(run.slice(at * 3 + 1, at * 3 + 3), 16),
  );
  let out = before;
  for (let at = 0; at < bytes.length;) {
    const length = lengthOf(bytes, at);
    const char =
      length === 1
        ? String.fromCharCode(bytes[at] ?? 0)
        : new TextDecoder().decode(Uint8Array.from(bytes.slice(at, at + length)));
    for (let unit = 0; unit < char.length; unit += 1) from[out.length + unit] = start + at * 3;
    out += char;
    at += length;
  }
  return out;
}

/** Number of bytes of the character that begins here; 1 if it is not valid UTF-8. */
function lengthOf(bytes: readonly number[], at: number): number {
  const first = bytes[at] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  const whole = bytes.slice(at + 1, at + length);
  return whole.length === length - 1 && whole.every((byte) => byte >> 6 === 2) ? length : 1;
}
