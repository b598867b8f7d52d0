import type { Clock } from '@/lib/budget/clock';
import { Ring } from '@/lib/rings/ring';
import { cleanText } from '@/lib/text/clean';
import type { Protocol } from '@/server/cdp/protocol';
import type { CdpSession } from '@/server/cdp/session';
import { Emitter } from '../emitter';
import { CAUGHT_PER_SECOND, RING_SIZES } from './limits';
import { endOf, failureOf, headersOf, requestOf, responseOf, socketOf, type Request } from './request-facts';

/** How Chrome names a request, for asking it for a body. */
export interface Origin {
  readonly session: CdpSession;
  readonly requestId: string;
}

/** A request that has not ended. */
interface Open extends Origin {
  readonly id: number;
  /** Chrome's monotonic seconds; NaN where it does not say. */
  readonly startedAt: number;
  bytes: number;
}

/** A response that has begun. `url` as Chrome gave it, for comparing only: it is not masked. */
export interface Begun {
  readonly id: number | undefined;
  readonly url: string;
  readonly status: number;
}

/**
 * What the page asked the network for (PS1). Bodies are never kept. Source: Network.requestWillBeSent, responseReceived, dataReceived,
 * loadingFinished, loadingFailed, webSocketCreated; Network is enabled by `Activity`.
 */
export class RequestLog {
  readonly ring = new Ring<Request>({ keep: RING_SIZES.requests, perSecond: CAUGHT_PER_SECOND });
  readonly onResponse = new Emitter<[Begun]>();
  readonly #open = new Map<string, Open>();
  readonly #origins = new Map<number, Origin>();

  constructor(
    private readonly clock: Clock,
    private readonly changed: () => void,
  ) {}

  /** Where to ask for the bodies of an entry, while it is kept. */
  originOf(id: number): Origin | undefined {
    return this.ring.get(id) ? this.#origins.get(id) : undefined;
  }

  listen(session: CdpSession): void {
    const key = (requestId: string): string => `${session.id ?? ''} ${requestId}`;
    session.on('Network.requestWillBeSent', (event) => this.#sent(session, key(event.requestId), event));
    session.on('Network.requestServedFromCache', ({ requestId }) => this.#change(key(requestId), { fromCache: true }));
    session.on('Network.responseReceived', ({ requestId, response, type }) => this.#received(key(requestId), response, type));
    session.on('Network.dataReceived', ({ requestId, dataLength }) => {
      const open = this.#open.get(key(requestId));
      if (open) open.bytes += dataLength;
    });
    session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => this.#ended(key(requestId), timestamp, { state: 'done', transferred: encodedDataLength }));
    session.on('Network.loadingFailed', (event) => this.#ended(key(event.requestId), event.timestamp, { state: 'failed', failure: failureOf(event) }));
    this.#listenForSockets(session, key);
  }

  #listenForSockets(session: CdpSession, key: (requestId: string) => string): void {
    session.on('Network.webSocketCreated', (event) => {
      this.#open.delete(key(event.requestId));
      this.#add(key(event.requestId), { session, requestId: event.requestId }, Number.NaN, () => socketOf(event));
    });
    session.on('Network.webSocketHandshakeResponseReceived', ({ requestId, response }) => {
      const { status, statusText, headers } = response;
      this.#change(key(requestId), { status, statusText: cleanText(statusText, 100), responseHeaders: headersOf(headers) });
    });
    session.on('Network.webSocketFrameError', ({ requestId, errorMessage }) => this.#change(key(requestId), { failure: cleanText(errorMessage, 300) }));
    session.on('Network.webSocketClosed', ({ requestId, timestamp }) => this.#ended(key(requestId), timestamp, { state: 'done' }));
  }

  /** A request that is sent on keeps Chrome's id: what came before it ends here, as an entry of its own. */
  #sent(session: CdpSession, key: string, event: Protocol.Network.RequestWillBeSentEvent): void {
    const { redirectResponse, timestamp, requestId } = event;
    const before = this.#open.get(key);
    if (before && redirectResponse) this.#received(key, redirectResponse);
    this.#open.delete(key);
    const id = this.#add(key, { session, requestId }, timestamp, () => requestOf(event));
    if (!before || !redirectResponse) return;
    const timing = this.ring.get(before.id)?.timing;
    this.ring.change(before.id, { state: 'done', transferred: redirectResponse.encodedDataLength, bodySize: 0, ...endOf(timing, before.startedAt, timestamp), ...(id === undefined ? {} : { redirectedTo: id }) });
    // Chrome has no body for it: its id now means the next one.
    this.#origins.delete(before.id);
  }

  #add(key: string, origin: Origin, startedAt: number, make: () => Request): number | undefined {
    const entry = this.ring.add(this.clock.now(), make);
    if (entry) {
      this.#open.set(key, { ...origin, id: entry.id, startedAt, bytes: 0 });
      this.#origins.set(entry.id, origin);
      this.#forgetOld();
    }
    this.changed();
    return entry?.id;
  }

  /** What belongs to entries that left the ring leaves with them. */
  #forgetOld(): void {
    if (this.#origins.size <= RING_SIZES.requests * 2) return;
    for (const old of this.#origins.keys()) if (!this.ring.get(old)) this.#origins.delete(old);
    for (const [key, open] of this.#open) if (!this.ring.get(open.id)) this.#open.delete(key);
  }

  #received(key: string, response: Protocol.Network.Response, type?: string): void {
    const open = this.#open.get(key);
    if (open) this.#change(key, responseOf(response, type, open.startedAt));
    this.onResponse.emit({ id: open?.id, url: response.url, status: response.status });
  }

  #ended(key: string, timestamp: number, part: Partial<Request>): void {
    const open = this.#open.get(key);
    if (!open) return;
    this.#open.delete(key);
    this.ring.change(open.id, { ...part, bodySize: open.bytes, ...endOf(this.ring.get(open.id)?.timing, open.startedAt, timestamp) });
    this.changed();
  }

  #change(key: string, part: Partial<Request>): void {
    const open = this.#open.get(key);
    if (!open) return;
    this.ring.change(open.id, part);
    this.changed();
  }
}
