import type { Header, RequestEntry, RequestTiming } from '@/lib/buffers/entries';
import { cleanText } from '@/lib/text/clean';
import { maskHeader, maskAddresses } from '@/lib/text/mask';
import { isScriptName } from '@/server/cdp/evaluate/script-names';
import type { Initiator, ResourceTiming, Response } from '@/server/cdp/shapes/objects';
import type { EventParams } from '@/server/cdp/shapes/read';
import { HEADER_CHARS, MOST_HEADERS, URL_CHARS } from './limits';

/** The parts of Chrome's network events that are kept: cleaned, bounded, masked. */

export type Request = Omit<RequestEntry, 'id' | 'rev'>;

export function requestOf({ request, wallTime, type, initiator }: EventParams<'Network.requestWillBeSent'>): Request {
  return {
    at: new Date(wallTime * 1_000).toISOString(),
    method: cleanText(request.method, 30),
    url: shownUrl(request.url + (request.urlFragment ?? '')),
    type: (type ?? 'other').toLowerCase(),
    state: 'pending',
    fromCache: false,
    requestHeaders: headersOf(request.headers),
    responseHeaders: [],
    sentBody: request.hasPostData === true,
    initiator: initiatorOf(initiator),
  };
}

export function socketOf({ url, initiator }: EventParams<'Network.webSocketCreated'>): Request {
  return {
    at: new Date().toISOString(),
    method: 'GET',
    url: shownUrl(url),
    type: 'websocket',
    state: 'pending',
    fromCache: false,
    requestHeaders: [],
    responseHeaders: [],
    sentBody: false,
    initiator: initiatorOf(initiator),
  };
}

/** @param startedAt start of the request in Chrome's monotonic seconds */
export function responseOf(response: Response, type: string | undefined, startedAt: number): Partial<Request> {
  const cached =
    response.fromDiskCache === true || response.fromServiceWorker === true || response.fromPrefetchCache === true;
  return {
    status: response.status,
    statusText: cleanText(response.statusText, 100),
    mimeType: cleanText(response.mimeType, 100),
    responseHeaders: headersOf(response.headers),
    protocol: cleanText(response.protocol ?? '', 40),
    ...(response.remoteIPAddress === undefined
      ? {}
      : { remoteAddress: `${response.remoteIPAddress}:${response.remotePort ?? 0}` }),
    ...(cached ? { fromCache: true } : {}),
    ...(response.timing ? { timing: timingOf(response.timing, startedAt) } : {}),
    ...(type === undefined ? {} : { type: type.toLowerCase() }),
  };
}

/** The duration, and the phase that is known only at the end. `endedAt` and `startedAt` in Chrome's seconds. */
export function endOf(timing: RequestTiming | undefined, startedAt: number, endedAt: number): Partial<Request> {
  const ms = round((endedAt - startedAt) * 1_000);
  if (Number.isNaN(ms)) return {};
  if (!timing) return { ms };
  const { blocked, dns, connect, send, wait } = timing;
  const before = [blocked, dns, connect, send, wait].reduce((sum, part) => sum + Math.max(0, part), 0);
  return { ms, timing: { ...timing, receive: round(Math.max(0, ms - before)) } };
}

/** The failure of a request that the egress proxy blocked. */
export function blockedFor(rule: string): string {
  return `blocked by Wheelhouse (${rule})`;
}

export function failureOf({
  errorText,
  canceled,
  blockedReason,
  corsErrorStatus,
}: Pick<EventParams<'Network.loadingFailed'>, 'errorText' | 'canceled' | 'blockedReason' | 'corsErrorStatus'>): string {
  const reasons = [
    errorText,
    canceled === true && errorText !== 'net::ERR_ABORTED' ? 'canceled' : '',
    blockedReason ?? '',
    corsErrorStatus?.corsError ?? '',
  ];
  return reasons.filter((reason) => reason !== '').join(', ');
}

export function headersOf(headers: Readonly<Record<string, string>>): Header[] {
  return Object.entries(headers)
    .slice(0, MOST_HEADERS)
    .map(([name, value]) => ({ name: cleanText(name, 200), value: maskHeader(name, value.slice(0, HEADER_CHARS)) }));
}

/**
 * The phases of a request in milliseconds, -1 for one that did not happen. Chrome gives them relative to `requestTime`,
 * before which the request may have waited. Source: Network.ResourceTiming; the phases are those of HAR 1.2, where
 * `ssl` is a part of `connect`.
 */
function timingOf(timing: ResourceTiming, startedAt: number): RequestTiming {
  const queued = Math.max(0, (timing.requestTime - startedAt) * 1_000);
  const first = [timing.dnsStart, timing.connectStart, timing.sendStart].find((start) => start >= 0) ?? 0;
  return {
    blocked: round(queued + first),
    dns: phase(timing.dnsStart, timing.dnsEnd),
    connect: phase(timing.connectStart, timing.connectEnd),
    ssl: phase(timing.sslStart, timing.sslEnd),
    send: Math.max(0, phase(timing.sendStart, timing.sendEnd)),
    wait: Math.max(0, phase(timing.sendEnd, timing.receiveHeadersEnd)),
    receive: 0,
  };
}

function phase(start: number, end: number): number {
  return start < 0 || end < start ? -1 : round(end - start);
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** An address of the page: cleaned, bounded, masked. */
export function shownUrl(url: string): string {
  return maskAddresses(cleanText(url, URL_CHARS));
}

function initiatorOf(initiator: Initiator | undefined): string {
  const place = initiator?.url ?? initiator?.stack?.callFrames[0]?.url ?? '';
  return `${initiator?.type ?? 'other'} ${isScriptName(place) ? '' : shownUrl(place)}`.trim();
}
