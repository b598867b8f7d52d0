import type { Site } from './sites';

export interface Provenance {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly method: string;
  /** A WebSocket upgrade: browsers always send Origin with it. */
  readonly upgrade?: boolean;
  readonly secFetchSite?: string | undefined;
  readonly secFetchMode?: string | undefined;
  readonly secFetchDest?: string | undefined;
  /** `?1` where a person's click or typing led here. */
  readonly secFetchUser?: string | undefined;
  /** A header that may come once and came twice: two readers of the request could take different ones for true. */
  readonly repeated?: string | undefined;
  readonly credential: 'none' | 'cookie' | 'bearer' | 'conflict';
}

export type ProvenanceVerdict =
  | { readonly ok: true; readonly site: Site }
  | { readonly ok: false; readonly reason: string; readonly cure: string };

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Does a request come to us under one of our own names, and from our own page when it rides a cookie (AU6, T1, R1)?
 * Exact spelling only: browsers send names in lower case without a trailing dot or default port. No CORS: an Origin
 * that is not ours is refused, with any credential.
 */
export function checkHostOrigin(request: Provenance, allowed: readonly Site[]): ProvenanceVerdict {
  if (request.repeated !== undefined)
    return refuse(`The request has two "${request.repeated}" headers.`, 'Send it once.');
  const site = allowed.find((candidate) => candidate.host === request.host);
  if (!site) return refuse('The Host header does not name this server.');
  if (request.credential === 'conflict')
    return refuse(
      'The request carries more than one credential.',
      'Send the Authorization header or the cookie, not both.',
    );
  if (request.origin !== undefined && request.origin !== site.origin)
    return refuse('The request comes from another site.');
  if (isForeignFetch(request)) return refuse('The request comes from a page of another site.');
  const changes = request.upgrade === true || !READS.has(request.method);
  if (request.credential === 'cookie' && changes && request.origin === undefined) {
    return refuse(
      'A change by cookie needs the Origin header that browsers send.',
      'A program sends a key: "Authorization: Bearer <key>".',
    );
  }
  return { ok: true, site };
}

/**
 * Did a page of another site send the browser here, without a click of a person? Measured on Chromium 156: to loopback
 * addresses, too, Chrome tells the site and whether there was a click (`Sec-Fetch-User: ?1`, else the header is
 * absent), for links, forms, scripts, redirects of pages and new windows alike.
 */
export function isSentByPage({
  secFetchSite = 'none',
  secFetchUser,
}: Pick<Provenance, 'secFetchSite' | 'secFetchUser'>): boolean {
  return secFetchSite !== 'none' && secFetchSite !== 'same-origin' && secFetchUser !== '?1';
}

/**
 * Fetch metadata (only browsers send it): from elsewhere only a person's own navigation of a whole tab is welcome, as
 * by a link in a mail.
 */
function isForeignFetch({ secFetchSite, secFetchMode, secFetchDest, method }: Provenance): boolean {
  if (secFetchSite === undefined || secFetchSite === 'same-origin') return false;
  const navigation =
    method === 'GET' && (secFetchMode ?? 'navigate') === 'navigate' && (secFetchDest ?? 'document') === 'document';
  return !navigation;
}

function refuse(reason: string, cure = 'Open Wheelhouse by the address it prints at start.'): ProvenanceVerdict {
  return { ok: false, reason, cure };
}
