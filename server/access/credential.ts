import { WheelhouseError } from '@/lib/errors/error';
import { looksReserved } from '@/lib/text/reserved-name';
import { readCookies } from './cookies';

/** Request headers as Node gives them. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What a request says of its caller. */
export interface RequestFacts {
  readonly headers: Headers;
  /** Where it comes from. */
  readonly address: string;
  /** The share link that it is for, where that is not in its header: then it has no other credential (AU4). */
  readonly link?: string | undefined;
  /** The workspace that it is for; undefined: the home workspace of a person, the only one of a key. */
  readonly workspace?: string | undefined;
}

/** The credential in a request, before any lookup. */
export type PresentedCredential =
  | { readonly kind: 'none' }
  | { readonly kind: 'cookie'; readonly token: string }
  | { readonly kind: 'bearer'; readonly token: string }
  /** The request is for a share link. `token`: of its cookie; undefined without one, or with two. */
  | { readonly kind: 'link'; readonly link: string; readonly token: string | undefined }
  /** Two credentials in one request: refused (R1). */
  | { readonly kind: 'conflict'; readonly reason: string };

const BEARER = /^Bearer[ ]+([\x21-\x7e]{1,300})$/i;

/** Reads the credential of a request. `cookie`: the name of our cookie on the requested site. */
export function presentedBy(headers: Headers, cookie: string): PresentedCredential {
  const authorization = single(headers, 'authorization');
  const cookies = readCookies(single(headers, 'cookie'), cookie);
  if (authorization !== undefined && cookies.length > 0)
    return { kind: 'conflict', reason: 'The request carries a key and a sign-in cookie; send one of them.' };
  if (cookies.length > 1)
    return {
      kind: 'conflict',
      reason: 'The request carries two sign-in cookies; clear the cookies of this site and sign in again.',
    };
  if (authorization !== undefined) return bearerOf(authorization);
  const [token] = cookies;
  return token === undefined ? { kind: 'none' } : { kind: 'cookie', token };
}

function bearerOf(authorization: string): PresentedCredential {
  const token = BEARER.exec(authorization)?.[1];
  return token === undefined
    ? { kind: 'conflict', reason: 'The Authorization header is not of the form "Bearer <key>".' }
    : { kind: 'bearer', token };
}

const AGENT_NAME = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}$/;

/** The share link that a request is for, by its header; no other credential of the request is then read (AU4). */
export function linkNamed(headers: Headers): string | undefined {
  return single(headers, 'x-link');
}

/** The credential of a guest of a link. `cookie`: the name of the link's cookie on the requested site. */
export function presentedByGuest(headers: Headers, link: string, cookie: string): PresentedCredential {
  const [token, ...more] = readCookies(single(headers, 'cookie'), cookie);
  return { kind: 'link', link, token: more.length > 0 ? undefined : token };
}

/** The optional `X-Agent` name (CO10). Throws BAD_REQUEST for a name that is unsafe to show or log. */
export function agentName(headers: Headers): string | undefined {
  const name = single(headers, 'x-agent')?.trim();
  if (name === undefined || name === '') return undefined;
  if (AGENT_NAME.test(name) && !looksReserved(name)) return name;
  if (AGENT_NAME.test(name))
    throw new WheelhouseError(
      'BAD_REQUEST',
      `No agent may be called "${name}": Wheelhouse keeps that name for itself.`,
      { hint: 'Give another name in X-Agent.', details: { fields: [{ field: 'X-Agent' }] } },
    );
  throw new WheelhouseError(
    'BAD_REQUEST',
    'The X-Agent header is not a plain name: use up to 40 letters, digits, spaces, dots, dashes and underscores, starting with a letter or digit.',
    { details: { fields: [{ field: 'X-Agent' }] } },
  );
}

/**
 * Headers that must not repeat: Node silently keeps the first of two. Two `Cookie` headers are legal behind some
 * proxies, so Node joins them and they are judged as one.
 */
const ONCE: ReadonlySet<string> = new Set(['host', 'authorization', 'origin']);

/** The name of a header in ONCE that came twice. `raw`: alternating names and values, as Node gives them. */
export function repeatedHeader(raw: readonly string[]): string | undefined {
  const names = raw
    .filter((_, index) => index % 2 === 0)
    .map((name) => name.toLowerCase())
    .filter((name) => ONCE.has(name));
  return names.find((name, index) => names.indexOf(name) !== index);
}

/** The value of a header that must be unique. Node joins most repeats with a comma, which then fails validation. */
export function single(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.join(', ');
}
