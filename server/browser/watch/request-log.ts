import type { Clock } from '@/lib/budget/clock';
import type { ChildTargetView } from '@/lib/buffers/child-target';
import { RingBuffer } from '@/lib/buffers/ring-buffer';
import { cleanText } from '@/lib/text/clean';
import type { Response } from '@/server/cdp/shapes/objects';
import type { EventParams } from '@/server/cdp/shapes/read';
import type { CdpSession } from '@/server/cdp/session';
import { Emitter } from '../emitter';
import type { RuleOf } from '../page-block';
import { BUFFER_LIMITS } from './limits';
import type { LogSource } from './log-source';
import { BecameDownloads } from './became-downloads';
import {
  blockedFor,
  endOf,
  failureOf,
  headersOf,
  requestOf,
  responseOf,
  socketOf,
  type Request,
} from './request-facts';

/** Chrome's errors where the proxy refused a tunnel: for https, and for a WebSocket (Chromium 156). */
const NO_TUNNEL = /ERR_TUNNEL_CONNECTION_FAILED|tunnel via proxy server failed/;
/**
 * Chrome's error where it withheld the proxy's answer to an image or script from the page, usually without a response
 * event before it.
 */
const KEPT_BACK = /ERR_BLOCKED_BY_ORB/;

/** Identifies a request to Chrome, to ask for its body. */
export interface Origin {
  readonly session: CdpSession;
  readonly requestId: string;
}

/** A request that has not ended. */
interface OpenRequest extends Origin {
  readonly id: number;
  /** Chrome's monotonic seconds; NaN where Chrome does not give them. */
  readonly startedAt: number;
  bytes: number;
}

/** A response that has begun. `url` is Chrome's, for comparing only: it is not masked. */
export interface ResponseStart {
  readonly id: number | undefined;
  readonly url: string;
  readonly status: number;
}

/**
 * The requests of the page (PS1). Bodies are never kept. Source: Network.requestWillBeSent, responseReceived,
 * dataReceived, loadingFinished, loadingFailed, webSocketCreated; `Activity` enables Network.
 */
export class RequestLog {
  readonly ring: RingBuffer<Request>;
  readonly onResponse = new Emitter<[ResponseStart]>();
  readonly #open = new Map<string, OpenRequest>();
  readonly #origins = new Map<number, Origin>();
  readonly #downloads: BecameDownloads;
  #count = 0;

  constructor(
    private readonly clock: Clock,
    private readonly changed: () => void,
    private readonly ruleOf: RuleOf = () => undefined,
    private readonly shown: <T extends object>(entry: T) => T = (entry) => entry,
  ) {
    this.ring = new RingBuffer(BUFFER_LIMITS.requests, shown);
    this.#downloads = new BecameDownloads(this.ring);
  }

  /** Number of requests so far, including those that are no longer kept. */
  get sent(): number {
    return this.#count;
  }

  /** The session and id to ask for the bodies of an entry, while it is kept. */
  originOf(id: number): Origin | undefined {
    return this.ring.get(id) ? this.#origins.get(id) : undefined;
  }

  /**
   * Listens to one session of the tab. A request has the same id on all of them, and one that begins on one session may
   * end on another: the document of a frame that moves to a process of its own, or the script of a worker. The session
   * that reported it last has the body.
   */
  listen(session: CdpSession, place: LogSource): void {
    session.on('Network.requestWillBeSent', (event) =>
      this.#sent({ session, requestId: event.requestId }, event, place.ofRequest(event)),
    );
    session.on('Network.requestServedFromCache', ({ requestId }) => this.#change(requestId, { fromCache: true }));
    session.on('Network.responseReceived', ({ requestId, response, type }) =>
      this.#received(requestId, response, type),
    );
    session.on('Network.dataReceived', ({ requestId, dataLength }) => {
      const open = this.#open.get(requestId);
      if (open) open.bytes += dataLength;
    });
    session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) =>
      this.#ended({ session, requestId }, timestamp, { state: 'done', transferred: encodedDataLength }),
    );
    session.on('Network.loadingFailed', (event) =>
      this.#ended({ session, requestId: event.requestId }, event.timestamp, {
        state: 'failed',
        ...this.#failureOf(event),
      }),
    );
    this.#listenForSockets(session, place);
  }

  /** Marks the document request of this address as a download instead of a failure. Source: Page.downloadWillBegin. */
  downloadBegun(url: string): void {
    this.#downloads.begun(url);
    this.changed();
  }

  #listenForSockets(session: CdpSession, place: LogSource): void {
    session.on('Network.webSocketCreated', (event) => {
      this.#open.delete(event.requestId);
      const from = place.view;
      this.#add({ session, requestId: event.requestId }, Number.NaN, () => ({
        ...socketOf(event),
        ...(from ? { from } : {}),
      }));
    });
    session.on('Network.webSocketHandshakeResponseReceived', ({ requestId, response }) => {
      const { status, statusText, headers } = response;
      this.#change(requestId, { status, statusText: cleanText(statusText, 100), responseHeaders: headersOf(headers) });
    });
    session.on('Network.webSocketFrameError', ({ requestId, errorMessage }) =>
      this.#change(requestId, this.#failureOf({ requestId, errorText: cleanText(errorMessage, 300) })),
    );
    session.on('Network.webSocketClosed', ({ requestId, timestamp }) =>
      this.#ended({ session, requestId }, timestamp, { state: 'done' }),
    );
  }

  /**
   * For http the proxy answers 403 itself. A service worker of the page could make up the same answer, so its answers
   * do not count.
   */
  #blockedBy({ url, status, fromServiceWorker }: Response): Partial<Request> {
    const rule = status === 403 && fromServiceWorker !== true && url.startsWith('http:') ? this.ruleOf(url) : undefined;
    return rule === undefined ? {} : { blocked: rule, failure: blockedFor(rule) };
  }

  /**
   * The failure of a request. Chrome does not tell why a tunnel was refused or an answer withheld, so the rule is
   * looked up by address.
   */
  #failureOf(
    event: Pick<EventParams<'Network.loadingFailed'>, 'requestId' | 'errorText'> &
      Partial<EventParams<'Network.loadingFailed'>>,
  ): Partial<Request> {
    const open = this.#open.get(event.requestId);
    const url = open && this.ring.get(open.id)?.url;
    const untold =
      NO_TUNNEL.test(event.errorText) || (url?.startsWith('http:') === true && KEPT_BACK.test(event.errorText));
    const rule = url !== undefined && untold ? this.ruleOf(url) : undefined;
    return rule === undefined ? { failure: failureOf(event) } : { blocked: rule, failure: blockedFor(rule) };
  }

  /** A redirected request keeps Chrome's id: the request before the redirect ends here, as an entry of its own. */
  #sent(origin: Origin, event: EventParams<'Network.requestWillBeSent'>, from: ChildTargetView | undefined): void {
    const { redirectResponse, timestamp, requestId } = event;
    this.#count += 1;
    const before = this.#open.get(requestId);
    // A worker reports once more the request for its script, which its page has made.
    if (before && !redirectResponse && before.session !== origin.session) return;
    if (before && redirectResponse) this.#received(requestId, redirectResponse);
    this.#open.delete(requestId);
    const id = this.#add(origin, timestamp, () => ({ ...requestOf(event), ...(from ? { from } : {}) }));
    if (!before || !redirectResponse) return;
    const timing = this.ring.get(before.id)?.timing;
    this.ring.change(before.id, {
      state: 'done',
      transferred: redirectResponse.encodedDataLength,
      bodySize: 0,
      ...endOf(timing, before.startedAt, timestamp),
      ...(id === undefined ? {} : { redirectedTo: id }),
    });
    // Chrome has no body for it: its id now means the next one.
    this.#origins.delete(before.id);
  }

  #add(origin: Origin, startedAt: number, make: () => Request): number | undefined {
    const entry = this.ring.add(this.clock.now(), make);
    if (entry) {
      this.#open.set(origin.requestId, { ...origin, id: entry.id, startedAt, bytes: 0 });
      this.#origins.set(entry.id, origin);
      this.#forgetOld();
    }
    this.changed();
    return entry?.id;
  }

  /** Drops the data of entries that have left the buffer. */
  #forgetOld(): void {
    if (this.#origins.size <= BUFFER_LIMITS.requests.keep * 2) return;
    for (const old of this.#origins.keys()) if (!this.ring.get(old)) this.#origins.delete(old);
    for (const [requestId, open] of this.#open) if (!this.ring.get(open.id)) this.#open.delete(requestId);
  }

  #received(requestId: string, response: Response, type?: string): void {
    const open = this.#open.get(requestId);
    if (open) this.#change(requestId, { ...responseOf(response, type, open.startedAt), ...this.#blockedBy(response) });
    this.onResponse.emit(this.shown({ id: open?.id, url: response.url, status: response.status }));
  }

  #ended(origin: Origin, timestamp: number, part: Partial<Request>): void {
    const open = this.#open.get(origin.requestId);
    if (!open) return;
    this.#open.delete(origin.requestId);
    if (this.#origins.has(open.id)) this.#origins.set(open.id, origin);
    const entry = this.ring.get(open.id);
    // Chrome may then report that it withheld the proxy's answer from the page (ERR_BLOCKED_BY_ORB).
    const state = entry?.blocked === undefined ? {} : { state: 'failed' as const, failure: blockedFor(entry.blocked) };
    this.ring.change(open.id, {
      ...this.#downloads.endOf(entry, part),
      ...state,
      bodySize: open.bytes,
      ...endOf(entry?.timing, open.startedAt, timestamp),
    });
    this.changed();
  }

  #change(requestId: string, part: Partial<Request>): void {
    const open = this.#open.get(requestId);
    if (!open) return;
    this.ring.change(open.id, part);
    this.changed();
  }
}
