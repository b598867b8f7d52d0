import type { WheelhouseError } from '@/lib/errors/error';
import type { Command, EventName, Params } from './protocol';
import { MALFORMED, readEvent, type EventParams, type Result } from './shapes/read';

type Handler = (params: unknown) => void;

/**
 * The parameters of a raw event that `CdpSession.eventFilter` got. Undefined when Chrome's message is not JSON or has
 * another shape.
 */
export function eventParams<E extends EventName>(event: E, data: Buffer): EventParams<E> | undefined;
export function eventParams(event: EventName, data: Buffer): unknown {
  try {
    const message: unknown = JSON.parse(data.toString('utf8'));
    const held = typeof message === 'object' && message !== null && 'params' in message ? message.params : undefined;
    const params = readEvent(event, held);
    return params === MALFORMED ? undefined : params;
  } catch {
    return undefined;
  }
}

/** What a session needs from the socket it runs on. */
export interface SessionWire {
  request(sessionId: string | undefined, method: string, params: unknown): Promise<unknown>;
  /** Rejects the pending calls of this session. */
  failPending(sessionId: string, error: WheelhouseError): void;
  forget(sessionId: string): void;
  countFailure(method: string): void;
  /** Reports an exception of one of our own handlers, which has no caller to throw to. */
  fault(error: unknown): void;
}

/**
 * One flattened CDP session (or the browser itself, when `id` is undefined).
 * Its end is typed: once ended, every pending and later call fails with the same error.
 */
export class CdpSession {
  readonly #handlers = new Map<string, Set<Handler>>();
  readonly #onEnd = new Set<(error: WheelhouseError) => void>();
  readonly #onOversized = new Set<(method: string) => void>();
  /**
   * Set by the owner of the session. Called with each event of a kind that pages send without end, before it is parsed;
   * true means that it was handled and is not delivered.
   */
  eventFilter: ((method: string, data: Buffer) => boolean) | undefined;
  #ended: WheelhouseError | undefined;

  constructor(
    private readonly wire: SessionWire,
    readonly id: string | undefined,
    readonly targetId: string | undefined,
  ) {}

  /** Why the session has ended; undefined while it can be used. */
  get ended(): WheelhouseError | undefined {
    return this.#ended;
  }

  /**
   * Sends one command; gives the fields of the answer that its shape names, none without a shape. Throws CdpError when
   * Chrome refuses it or answers in another shape, BROWSER_DOWN or TAB_NOT_FOUND when the session ended. It may stay
   * pending for as long as the page hangs: race it with a budget.
   */
  send<M extends Command>(method: M, ...params: Params<M>): Promise<Result<M>>;
  // The connection has parsed the answer by the schema that its type is made of.
  send(method: string, params?: unknown): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended);
    return this.wire.request(this.id, method, params ?? {});
  }

  /** Sends a command whose failure changes nothing for the caller; a failure is counted, never thrown. */
  sendMayFail<M extends Command>(method: M, ...params: Params<M>): Promise<Result<M> | undefined>;
  async sendMayFail(method: Command, ...params: [object?]): Promise<unknown> {
    if (this.#ended) return undefined;
    try {
      return await this.wire.request(this.id, method, params[0] ?? {});
    } catch {
      this.wire.countFailure(method);
      return undefined;
    }
  }

  /** Calls `handler` for each event; the returned function stops it. */
  on<E extends EventName>(event: E, handler: (params: EventParams<E>) => void): () => void;
  on(event: string, handler: Handler): () => void {
    const handlers = this.#handlers.get(event) ?? new Set();
    handlers.add(handler);
    this.#handlers.set(event, handlers);
    return () => handlers.delete(handler);
  }

  /** Calls `handler` once when the session ends; at once when it already has. */
  onEnd(handler: (error: WheelhouseError) => void): () => void {
    if (this.#ended) {
      handler(this.#ended);
      return () => undefined;
    }
    this.#onEnd.add(handler);
    return () => this.#onEnd.delete(handler);
  }

  /** Delivers an event of Chrome; for the connection only. */
  deliver(event: string, params: unknown): void {
    for (const handler of [...(this.#handlers.get(event) ?? [])]) this.#guard(() => handler(params));
  }

  /** Calls `handler` with the method of each event that was too large to be parsed (the connection sets the limit). */
  onOversized(handler: (method: string) => void): void {
    this.#onOversized.add(handler);
  }

  /** Delivers the method of an event that was too large; for the connection only. */
  deliverOversized(method: string): void {
    for (const handler of [...this.#onOversized]) this.#guard(() => handler(method));
  }

  /**
   * Fails all pending calls and keeps the session: a crashed target never answers them, but works again after a reload
   * (docs/chrome-facts.md, Pages and navigation).
   */
  failPending(error: WheelhouseError): void {
    if (this.id !== undefined) this.wire.failPending(this.id, error);
  }

  /** Ends the session with a reason: pending calls fail with it. */
  end(error: WheelhouseError): void {
    if (this.#ended) return;
    this.#ended = error;
    this.failPending(error);
    if (this.id !== undefined) this.wire.forget(this.id);
    for (const handler of [...this.#onEnd]) this.#guard(() => handler(error));
    this.#onEnd.clear();
    this.#handlers.clear();
    this.#onOversized.clear();
  }

  /**
   * Calls a handler. One that throws (because the store is locked, for example) must neither keep the others from being
   * called nor end the process from inside a socket event (F16, F30).
   */
  #guard(handle: () => void): void {
    try {
      handle();
    } catch (error) {
      this.wire.fault(error);
    }
  }
}
