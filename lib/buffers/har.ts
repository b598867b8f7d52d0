import { parseUrl } from '@/lib/text/url';
import type { Header, RequestEntry, RequestTiming } from './entries';
import type { Har, HarEntry } from './har-schema';

export interface HarFacts {
  /** `Chrome/156.0.0.0`, as Chrome names itself. */
  readonly product: string;
  readonly title: string;
  readonly requests: readonly RequestEntry[];
  /** Requests that came too fast to be kept. */
  readonly dropped: number;
  /** ISO 8601, for a page without requests. */
  readonly now: string;
}

const PAGE = 'page_1';

/**
 * The requests of a tab as an HTTP Archive, version 1.2 (PS2). Secrets were masked when the requests were kept; bodies
 * are left out.
 */
export function harOf({ product, title, requests, dropped, now }: HarFacts): Har {
  const [name = 'Chrome', version = ''] = product.split('/');
  return {
    log: {
      version: '1.2',
      creator: { name: 'Wheelhouse', version: '1' },
      browser: { name, version },
      pages: [{ startedDateTime: requests[0]?.at ?? now, id: PAGE, title, pageTimings: {} }],
      entries: requests.map(entryOf),
      comment:
        'Cookies, credentials and secret query parameters are masked; bodies are left out.' +
        (dropped > 0 ? ` ${dropped} requests came too fast to be kept.` : ''),
    },
  };
}

function entryOf(request: RequestEntry): HarEntry {
  const timings = timingsOf(request);
  return {
    pageref: PAGE,
    startedDateTime: request.at,
    time: total(timings),
    request: {
      method: request.method,
      url: request.url,
      httpVersion: versionOf(request),
      cookies: cookiesOf(request.requestHeaders, 'cookie'),
      headers: request.requestHeaders,
      queryString: [...(parseUrl(request.url)?.searchParams ?? [])].map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: request.sentBody ? -1 : 0,
    },
    response: responseOf(request),
    cache: {},
    timings,
    ...(request.remoteAddress === undefined
      ? {}
      : { serverIPAddress: request.remoteAddress.replace(/:\d+$/u, '').replace(/^\[|\]$/gu, '') }),
    _resourceType: request.type,
    ...(request.failure === undefined ? {} : { _error: request.failure }),
    ...(request.fromCache ? { _fromCache: true } : {}),
    ...(request.from ? { _from: request.from } : {}),
  };
}

function responseOf(request: RequestEntry): HarEntry['response'] {
  return {
    status: request.status ?? 0,
    statusText: request.statusText ?? '',
    httpVersion: versionOf(request),
    cookies: cookiesOf(request.responseHeaders, 'set-cookie'),
    headers: request.responseHeaders,
    content: { size: request.bodySize ?? 0, mimeType: request.mimeType ?? '' },
    redirectURL: valueOf(request.responseHeaders, 'location') ?? '',
    headersSize: -1,
    bodySize: -1,
  };
}

const UNKNOWN: RequestTiming = { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: 0, receive: 0 };

/** Without Chrome's own phases all of the time counts as waiting. */
function timingsOf({ timing, ms }: RequestEntry): RequestTiming {
  return timing ?? { ...UNKNOWN, wait: Math.max(0, ms ?? 0) };
}

function total({ blocked, dns, connect, send, wait, receive }: RequestTiming): number {
  const sum = [blocked, dns, connect, send, wait, receive].reduce((all, part) => all + Math.max(0, part), 0);
  return Math.round(sum * 10) / 10;
}

const VERSIONS: Readonly<Record<string, string>> = {
  h2: 'HTTP/2',
  h3: 'HTTP/3',
  'http/1.1': 'HTTP/1.1',
  'http/1.0': 'HTTP/1.0',
};

function versionOf({ protocol = '' }: RequestEntry): string {
  return VERSIONS[protocol] ?? protocol;
}

function valueOf(headers: readonly Header[], wanted: string): string | undefined {
  return headers.find(({ name }) => name.toLowerCase() === wanted)?.value;
}

/** The values were masked before, so only the names are real. */
function cookiesOf(headers: readonly Header[], header: 'cookie' | 'set-cookie'): Header[] {
  const text = valueOf(headers, header) ?? '';
  const pairs = header === 'cookie' ? text.split('; ') : text.split('\n').map((line) => line.split('; ')[0] ?? '');
  return pairs
    .filter((pair) => pair.includes('='))
    .map((pair) => ({ name: pair.slice(0, pair.indexOf('=')), value: pair.slice(pair.indexOf('=') + 1) }));
}
