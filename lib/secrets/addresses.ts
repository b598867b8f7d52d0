import type { TextSpan } from './aho-corasick';

/** A plain word or number, which may occur by chance in one of our sentences or in an address. */
export const ORDINARY = /^(?:\p{L}+|\p{N}+)$/u;

/** Scheme; host with user info and port; path and query; fragment. */
const ADDRESS = /([a-z][a-z\d+.-]*:\/\/)([^\s/?#"'“”「」<>]*)([^\s?#"“”「」<>]*)([^\s"“”「」<>]*)/giu;
const NUMERIC_HOST = /^(?:localhost|[\d.]+|\[[\da-f:.]+\])(?::\d+)?$/iu;

interface Address {
  readonly begin: number;
  /** Where the host begins, after the user info. */
  readonly host: number;
  readonly path: number;
  /** Where the path ends and the query begins. */
  readonly rest: number;
  readonly end: number;
}

/**
 * Returns a test of whether a match is in an address by chance. In the host: a plain word or number, any match in a
 * numeric host, and any match in a host that contained it before (`places`). In the path: a plain word that is only a
 * part of a segment, or a segment that was there before. In query and fragment: a plain word that is the name of a
 * parameter.
 * @param encoded matches of secrets that are not plain words, and of other spellings
 */
export function chanceIn(
  text: string,
  places: ReadonlySet<string>,
  encoded: readonly TextSpan[] = [],
): (span: TextSpan) => boolean {
  const addresses = [...text.matchAll(ADDRESS)].map(partsOf);
  return ([from, to]) => {
    const address = addresses.find(({ begin, end }) => from >= begin && to <= end);
    if (!address) return false;
    const plain = ORDINARY.test(text.slice(from, to)) && !encoded.some(([begin, end]) => begin < to && end > from);
    if (to <= address.path) {
      const host = text.slice(address.host, address.path);
      const inHost = from >= address.host;
      return inHost && (plain || NUMERIC_HOST.test(host) || places.has(host));
    }
    if (!plain || from < address.path) return false;
    if (to > address.rest) return isName(text, address, from, to);
    return !isSegment(text, address, from, to) || places.has(text.slice(from, to));
  };
}

/** Hosts and path segments of these addresses that contain the secret. */
export function placesOf(secret: string, addresses: readonly string[]): string[] {
  return addresses.flatMap((url) =>
    [...url.matchAll(ADDRESS)].flatMap(([, , authority = '', path = '']) =>
      [authority.slice(authority.lastIndexOf('@') + 1), ...path.split('/')].filter((part) => part.includes(secret)),
    ),
  );
}

function partsOf({ index, 1: scheme = '', 2: authority = '', 3: path = '', 4: rest = '' }: RegExpExecArray): Address {
  const begin = index;
  const host = begin + scheme.length + authority.lastIndexOf('@') + 1;
  const pathAt = begin + scheme.length + authority.length;
  return { begin, host, path: pathAt, rest: pathAt + path.length, end: pathAt + path.length + rest.length };
}

/** Whether the match is a whole segment: from one slash to the next, or to the path's end. */
function isSegment(text: string, { rest }: Address, from: number, to: number): boolean {
  return text[from - 1] === '/' && /^(?:\/|[.,;:!)\]…]*$)/u.test(text.slice(to, rest));
}

/** Whether the match is in the name of a parameter. */
function isName(text: string, { rest, end }: Address, from: number, to: number): boolean {
  const before =
    text
      .slice(rest, from)
      .split(/[?&#;]/u)
      .at(-1) ?? '';
  const after = /^[^=&#;]*=/u.test(text.slice(to, end));
  return after && !before.includes('=');
}
