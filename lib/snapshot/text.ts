/**
 * Page text made safe and short for a snapshot line (SN2, SN6, GU3). Everything a page wrote passes through here before
 * it is printed.
 */

/** Longest accessible name printed, characters; the rest is counted, not shown. */
export const NAME_LIMIT = 200;
/** Longest run of page text printed on one line, characters. */
export const TEXT_LIMIT = 2_000;
/** Longest value of a field printed, characters. */
export const VALUE_LIMIT = 500;
/** Longest address printed, characters. */
const URL_LIMIT = 300;
/** Raw text beyond this is never read, characters: a page may have a name of megabytes. */
export const RAW_LIMIT = 8_000;

const PLAIN = /^(?:[!-~]+(?: [!-~]+)*)?$/;
const SPACES = /\s+/g;

/**
 * Characters that may hide, reorder or fake text: control and format characters (bidi marks and overrides, zero width),
 * fillers, variation selectors and tag characters (all "default ignorable"), private use (icon fonts) and lone
 * surrogates. Source: Unicode general categories.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{DI}]/gu;

/**
 * One line of visible text: white space collapsed, unseen characters removed, at most `RAW_LIMIT` characters looked at.
 */
export function clean(text: string): string {
  const bounded = text.length > RAW_LIMIT ? text.slice(0, RAW_LIMIT) : text;
  if (PLAIN.test(bounded)) return bounded;
  return bounded.replace(SPACES, ' ').replace(UNSEEN, '').replace(SPACES, ' ').trim();
}

export interface CappedText {
  readonly text: string;
  /** How many characters are left out. */
  readonly more: number;
}

/** Cuts cleaned text at `limit` characters, never through a surrogate pair, and says how much is missing. */
export function cap(text: string, limit: number): CappedText {
  if (text.length <= limit) return { text, more: 0 };
  const end = isHighSurrogate(text.charCodeAt(limit - 1)) ? limit - 1 : limit;
  return { text: text.slice(0, end).trimEnd(), more: text.length - end };
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/**
 * `"text"` as JSON writes it, or `"text" [+12]` when 12 characters are left out; the count stands outside the quotes,
 * where no page text can.
 */
export function quoted(text: string, limit: number): string {
  const { text: shown, more } = cap(text, limit);
  return more === 0 ? JSON.stringify(shown) : `${JSON.stringify(shown)} [+${more}]`;
}

/** The text that replaces a secret value: only whether there is one (SN6). */
export function maskedValue(value: string): string {
  return value === '' ? '""' : 'masked';
}

/** Text without any spaces, for comparing what two texts say. */
export function withoutSpaces(text: string): string {
  return text.replace(SPACES, '');
}

/**
 * An address as one printable token: same-origin ones lose their origin, and nothing in it can close the bracket it
 * stands in. Long and `data:` addresses are cut with `…`.
 */
export function printableUrl(url: string, origin: string): string {
  const relative = origin !== '' && url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
  const limit = relative.startsWith('data:') ? 40 : URL_LIMIT;
  const safe = clean(relative.slice(0, limit)).replace(/[\s[\]"\\<>`{}|^]/g, (char) => encodeURIComponent(char));
  return relative.length > limit ? `${safe}…` : safe;
}

/** The origin part of an address, `https://host:port`, or '' when it has none. */
export function originOf(url: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+/i.exec(url)?.[0] ?? '';
}
