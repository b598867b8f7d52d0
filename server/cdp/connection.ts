import { WebSocket } from 'ws';
import { WheelhouseError, messageOf } from '@/lib/errors/error';
import type { Message } from '@/lib/messages/message';
import type { Budget } from '@/lib/budget/budget';
import { mentionsNamedScript } from './evaluate/script-names';
import { longAnswerIn, parseLong, type LongAnswer } from './long-answer';
import { CdpError, MalformedAnswer } from './protocol';
import { CdpSession, type SessionWire } from './session';
import { isAxNode } from './shapes/page-content';
import { MALFORMED, readAnswer, readEvent, readNodesAnswer } from './shapes/read';

interface Pending {
  readonly sessionId: string | undefined;
  readonly method: string;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export interface ConnectionOptions {
  /** Lane name, for logs and counters. */
  readonly lane: string;
  /** Called for each best-effort command that failed. */
  readonly onSendFailure?: (method: string) => void;
  /** Called for each event or answer whose shape does not match the protocol. */
  readonly onMalformed?: (method: string) => void;
  /** Called when a handler of an event threw. */
  readonly onFault?: (error: unknown) => void;
}

/**
 * A message that no caller waits for is dropped unparsed above this length: parsing it blocks the event loop for every
 * session.
 */
const MAX_UNASKED_BYTES = 32 * 1024 * 1024;

/** Closes the connection when the endpoint keeps sending messages that are not CDP. */
const MOST_MALFORMED = 1_000;

/**
 * Largest message in bytes (a full accessibility tree is large). A larger one closes the lane and leaves the server
 * running.
 */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;

/**
 * Events whose length the page controls (a console line, a `data:` address) are dropped unparsed above this length:
 * parsing 100 MB blocks the event loop for seconds.
 */
const MAX_SPAM_BYTES = 2 * 1024 * 1024;

/**
 * Events that are dropped unparsed, except those about scripts with a name of ours: while the debugger is on Chrome
 * sends one for each script of a page, and the page controls its length (a `data:` address of a source map).
 */
const UNHEARD: ReadonlySet<string> = new Set(['Debugger.scriptParsed', 'Debugger.scriptFailedToParse']);

/**
 * One WebSocket to Chrome with its flattened sessions. Knows nothing of tabs. Source: CDP, `Target.attachToTarget
 * {flatten}`.
 */
export class CdpConnection implements SessionWire {
  readonly lane: string;
  readonly browser: CdpSession;
  readonly #socket: WebSocket;
  readonly #pending = new Map<number, Pending>();
  readonly #sessions = new Map<string, CdpSession>();
  readonly #lost = new WeakMap<CdpSession, WheelhouseError>();
  readonly #onSendFailure: (method: string) => void;
  readonly #onMalformed: (method: string) => void;
  readonly #onFault: (error: unknown) => void;
  #malformed = 0;
  #nextId = 1;

  private constructor(socket: WebSocket, options: ConnectionOptions) {
    this.lane = options.lane;
    this.#socket = socket;
    this.#onSendFailure = options.onSendFailure ?? (() => undefined);
    this.#onMalformed = options.onMalformed ?? (() => undefined);
    this.#onFault = options.onFault ?? (() => undefined);
    this.browser = new CdpSession(this, undefined, undefined);
    this.browser.on('Target.detachedFromTarget', ({ sessionId }) => this.#detached(sessionId));
    socket.on('message', (data: Buffer) => this.#receive(data));
    socket.on('close', () => this.#closed('Chrome closed the connection.'));
    socket.on('error', (error) => this.#closed(`The connection to Chrome failed: ${error.message}`));
  }

  /** Connects to a browser WebSocket URL. Throws BROWSER_DOWN when no server answers there. */
  static async open(budget: Budget, url: string, options: ConnectionOptions): Promise<CdpConnection> {
    const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: MAX_MESSAGE_BYTES });
    try {
      await budget.during(`connect to Chrome (${options.lane})`, () => opened(socket));
    } catch (error) {
      socket.on('error', () => undefined);
      socket.terminate();
      if (error instanceof WheelhouseError) throw error;
      const said = { code: 'noChromeAt', origin: new URL(url).origin, tried: `WebSocket ${url}` } as const;
      throw new WheelhouseError('BROWSER_DOWN', said, {
        hint: { code: 'attachCure' },
        details: { tried: url, error: messageOf(error) },
        cause: error,
      });
    }
    return new CdpConnection(socket, options);
  }

  /** Attaches a new session to a target on this socket. Chrome's browser process answers, also for a tab that hangs. */
  async attach(targetId: string): Promise<CdpSession> {
    const { sessionId } = await this.browser.send('Target.attachToTarget', { targetId, flatten: true });
    return this.adopt(sessionId, targetId);
  }

  /**
   * Registers a session that Chrome attached by itself (auto-attach). `lost` is the error that pending calls get when
   * the session ends.
   */
  adopt(sessionId: string, targetId: string, lost?: WheelhouseError): CdpSession {
    const known = this.#sessions.get(sessionId);
    if (known) return known;
    const session = new CdpSession(this, sessionId, targetId);
    // Auto-attached children report their end to their parent's session.
    session.on('Target.detachedFromTarget', (event) => this.#detached(event.sessionId));
    this.#sessions.set(sessionId, session);
    if (lost) this.#lost.set(session, lost);
    return session;
  }

  async detach(session: CdpSession): Promise<void> {
    if (session.id === undefined || session.ended) return;
    await this.browser.sendMayFail('Target.detachFromTarget', { sessionId: session.id });
    this.#detached(session.id);
  }

  request(sessionId: string | undefined, method: string, params: unknown): Promise<unknown> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { sessionId, method, resolve, reject });
      this.#socket.send(
        JSON.stringify(sessionId === undefined ? { id, method, params } : { id, method, params, sessionId }),
      );
    });
  }

  failPending(sessionId: string, error: WheelhouseError): void {
    for (const [id, pending] of this.#pending) {
      if (pending.sessionId !== sessionId) continue;
      this.#pending.delete(id);
      pending.reject(error);
    }
  }

  forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  countFailure(method: string): void {
    this.#onSendFailure(method);
  }

  fault(error: unknown): void {
    this.#onFault(error);
  }

  /** Closes the socket; Chrome and its pages live on. */
  close(reason: string | Message = { code: 'browserDetached' }): void {
    this.#closed(reason);
    this.#socket.close();
  }

  #receive(data: Buffer): void {
    const method = eventIn(data);
    if (method !== undefined && UNHEARD.has(method) && !mentionsNamedScript(data)) return;
    const spam = spamIn(method, data);
    const session = spam && this.#sessions.get(spam.sessionId);
    if (spam && data.byteLength > MAX_SPAM_BYTES) return session?.deliverOversized(spam.method);
    if (spam && session?.eventFilter?.(spam.method, data) === true) return;
    const long = longAnswerIn(data);
    if (long) return void this.#receiveLong(data, long);
    if (data.byteLength > MAX_UNASKED_BYTES && !this.#pending.has(answeredIn(data))) return;
    const message = parsed(data.toString('utf8'));
    if (message === UNREADABLE) return this.close('Chrome sent something that is not JSON.');
    if (typeof message !== 'object' || message === null) return;
    if ('id' in message && typeof message.id === 'number') this.#answer(message.id, message);
    else if ('method' in message && typeof message.method === 'string') this.#event(message.method, message);
  }

  /** Parses a long answer in parts; meanwhile the caller still gets its error at once when the session ends. */
  async #receiveLong(data: Buffer, long: LongAnswer): Promise<void> {
    if (!this.#pending.has(long.id)) return;
    try {
      const nodes = await parseLong(data, long, isAxNode);
      const pending = this.#settled(long.id);
      if (pending) this.#resolve(pending, nodes ? readNodesAnswer(pending.method, nodes) : MALFORMED);
    } catch {
      this.close('Chrome sent something that is not JSON.');
    }
  }

  #answer(id: number, message: object): void {
    const pending = this.#settled(id);
    if (!pending) return;
    if ('error' in message) pending.reject(refusal(pending.method, message.error));
    else this.#resolve(pending, readAnswer(pending.method, 'result' in message ? message.result : {}));
  }

  /** The call that is answered now, once. */
  #settled(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  #resolve({ method, resolve, reject }: Pending, answer: unknown): void {
    if (answer !== MALFORMED) return resolve(answer);
    reject(new MalformedAnswer(method));
    this.#countMalformed(method);
  }

  #event(method: string, message: object): void {
    const params = 'params' in message ? message.params : {};
    const sessionId = 'sessionId' in message && typeof message.sessionId === 'string' ? message.sessionId : undefined;
    const session = sessionId === undefined ? this.browser : this.#sessions.get(sessionId);
    if (!session) return;
    const known = readEvent(method, params);
    if (known === MALFORMED) this.#countMalformed(method);
    else session.deliver(method, known);
  }

  #countMalformed(method: string): void {
    this.#malformed += 1;
    this.#onMalformed(method.slice(0, 80));
    if (this.#malformed > MOST_MALFORMED)
      this.close('What answers there goes on saying what is not the DevTools protocol.');
  }

  #detached(sessionId: string): void {
    const session = this.#sessions.get(sessionId);
    if (!session) return;
    session.end(this.#lost.get(session) ?? new WheelhouseError('TAB_NOT_FOUND', { code: 'tabClosed' }));
    this.#sessions.delete(sessionId);
  }

  #closed(reason: string | Message): void {
    if (this.browser.ended) return;
    const error = new WheelhouseError('BROWSER_DOWN', reason);
    for (const session of [...this.#sessions.values()]) session.end(error);
    for (const pending of this.#pending.values()) pending.reject(error);
    this.#pending.clear();
    this.browser.end(error);
  }
}

/** The `m` of `{"method":`: an answer begins with `{"id":`. */
const METHOD_STARTS = 0x6d;

/** Marks a text that is not JSON; no message parses to it. */
const UNREADABLE = Symbol('unreadable');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Closes the lane with this reason: later messages cannot be trusted either.
    return UNREADABLE;
  }
}

function opened(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
}

function refusal(method: string, error: unknown): CdpError {
  const code =
    typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number' ? error.code : 0;
  const detail = typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : 'refused';
  return new CdpError(method, code, detail);
}

/** The method of an event, from its first bytes: Chrome writes it first. Undefined for an answer. */
function eventIn(data: Buffer): string | undefined {
  return data[2] === METHOD_STARTS ? /^\{"method":"(\w+\.\w+)"/.exec(data.toString('latin1', 0, 100))?.[1] : undefined;
}

/** The call that a message answers, from its first bytes; 0 for anything else. */
function answeredIn(data: Buffer): number {
  return Number(/^\{"id":(\d+)/.exec(data.toString('latin1', 0, 30))?.[1] ?? 0);
}

/**
 * Method and session of an event that a page may send without end, from its first and last bytes: a million of them are
 * not parsed to be counted (F25). Chrome writes `sessionId` last.
 */
function spamIn(method: string | undefined, data: Buffer): { method: string; sessionId: string } | undefined {
  if (method === undefined || !/^(?:Runtime|Log|Network)\./.test(method)) return undefined;
  const sessionId = /"sessionId":"(\w+)"\}$/.exec(data.toString('latin1', data.byteLength - 100))?.[1];
  return sessionId === undefined ? undefined : { method, sessionId };
}
