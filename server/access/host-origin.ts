import type { Site } from './sites';

export interface Provenance {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly method: string;
  /** The request is a WebSocket upgrade; browsers always send Origin with one. */
  readonly upgrade?: boolean;
  readonly secFetchSite?: string | undefined;
  readonly secFetchMode?: string | undefined;
  readonly secFetchDest?: string | undefined;
  /** `?1` when a person's click or typing caused the navigation. */
  readonly secFetchUser?: string | undefined;
  /** The name of a header that must be unique but came twice; two parsers could trust different values. */
  readonly repeated?: string | undefined;
  readonly credential: 'none' | 'cookie' | 'bearer' | 'link' | 'conflict';
}

export type ProvenanceVerdict =
  | { readonly ok: true; readonly site: Site }
  | { readonly ok: false; readonly reason: string; readonly cure: string };

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Checks that a request names one of our hosts and, with a cookie, comes from our own page (AU6, T1, R1). Compares
 * exact spellings, because browsers send hosts in lower case without trailing dot or default port. There is no CORS:
 * refuses a foreign Origin with any credential.
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
  const byCookie = request.credential === 'cookie' || request.credential === 'link';
  if (byCookie && changes && request.origin === undefined) {
    return refuse(
      'A change by cookie needs the Origin header that browsers send.',
      'A program sends a key: "Authorization: Bearer <key>".',
    );
  }
  return { ok: true, site };
}

/**
 * Returns whether a page of another site sent the browser here without a person's click. Measured on Chromium 156:
 * Chrome sends the site and the click (`Sec-Fetch-User: ?1`, else absent) to loopback addresses too, for links, forms,
 * scripts, page redirects and new windows.
 */
export function isSentByPage({
  secFetchSite = 'none',
  secFetchUser,
}: Pick<Provenance, 'secFetchSite' | 'secFetchUser'>): boolean {
  return secFetchSite !== 'none' && secFetchSite !== 'same-origin' && secFetchUser !== '?1';
}

/**
 * Checks fetch metadata, which only browsers send. From another site, accepts only a person's navigation of a whole
 * tab, as by a link in a mail.
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
