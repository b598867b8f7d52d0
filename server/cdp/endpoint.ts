import { z } from 'zod';
import { WheelhouseError, messageOf } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import { MalformedAnswer } from './protocol';

/** Chrome's own answer has about 400 bytes. */
const MOST_BYTES = 64 * 1024;

/**
 * Only the path of the address is used: with its host, an endpoint could send us anywhere (SSRF), and forwarders name
 * hosts of their own.
 */
const versionSchema = z.looseObject({
  Browser: z.string().min(1).max(200),
  webSocketDebuggerUrl: z
    .url({ protocol: /^wss?$/u })
    .max(2_048)
    .transform((text) => new URL(text)),
});

/**
 * Finds the browser WebSocket of an `http://host:port` or `ws://…` CDP address (BR3). Throws BROWSER_DOWN or
 * BAD_REQUEST.
 */
export async function resolveCdpUrl(budget: Budget, address: string): Promise<string> {
  const url = parseCdpAddress(address);
  url.hash = '';
  if (url.protocol === 'ws:' || url.protocol === 'wss:') return url.href;
  const { pathname, search } = await readVersion(budget, new URL('/json/version', url));
  // Assigned part by part: resolved as a whole, a path like `//elsewhere/` would be taken for a host.
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.pathname = pathname;
  url.search = search;
  return url.href;
}

/** The error for an address where a server answers that is not Chrome. */
export function notDevtools(address: string, cause: unknown): WheelhouseError {
  const origin = originOf(address);
  return new WheelhouseError(
    'BROWSER_DOWN',
    { code: 'notDevtools', origin, tried: `CDP ${origin}` },
    { hint: { code: 'attachCure' }, details: { tried: origin, error: messageOf(cause) }, cause },
  );
}

/** Turns MalformedAnswer into BROWSER_DOWN for callers; returns any other error unchanged. */
export function explainMalformed(error: unknown): unknown {
  if (!(error instanceof MalformedAnswer)) return error;
  return new WheelhouseError('BROWSER_DOWN', `The browser did not give a valid answer to ${error.method}.`, {
    hint: 'Attach a Chrome of a version that this server knows, or start a session with a Chrome of its own.',
    details: { method: error.method },
    cause: error,
  });
}

/** The origin of an address, without credentials and without the path, which is Chrome's secret. */
function originOf(address: string): string {
  const { protocol, host } = new URL(address);
  return `${protocol}//${host}`;
}

/** Throws BROWSER_DOWN; the message says whether no server or a server other than Chrome answered. */
async function readVersion(budget: Budget, endpoint: URL): Promise<URL> {
  const { origin, href } = endpoint;
  let code: 'noChromeAt' | 'notDevtools' = 'noChromeAt';
  try {
    const response = await budget.during(`GET ${origin}/json/version`, () =>
      fetch(endpoint, { signal: budget.signal, redirect: 'manual' }),
    );
    code = 'notDevtools';
    if (response.type === 'opaqueredirect' || !response.ok)
      throw new Error(
        `It answers ${response.status}${response.status < 400 ? ', which sends elsewhere; that is not followed' : ''}.`,
      );
    return versionSchema.parse(JSON.parse(await boundedText(response))).webSocketDebuggerUrl;
  } catch (error) {
    budget.check();
    const details = { tried: href, error: rootOf(error) };
    throw new WheelhouseError(
      'BROWSER_DOWN',
      { code, origin, tried: `GET ${href}` },
      { hint: { code: 'attachCure' }, details, cause: error },
    );
  }
}

/** Reads a body of at most `MOST_BYTES`; throws for a longer one. The signal of the request ends the reading. */
async function boundedText({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.byteLength;
    if (bytes > MOST_BYTES) throw new Error(`It answers with more than ${MOST_BYTES} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** The message of `fetch` is always "fetch failed"; the reason is in its `cause`. */
function rootOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? rootOf(error.cause) : messageOf(error);
}

function parseCdpAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && ['http:', 'https:', 'ws:', 'wss:'].includes(url.protocol)) return url;
  throw new WheelhouseError(
    'BAD_REQUEST',
    { code: 'notCdpAddress', address },
    { hint: { code: 'cdpFormsCure' }, details: { fields: [{ field: 'cdpUrl', problem: 'is not a CDP address' }] } },
  );
}
