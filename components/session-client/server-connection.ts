import { io, type Socket } from 'socket.io-client';
import { PROTOCOL_VERSION, type ClientAnswers, type ClientEvent, type ClientPayload } from '@/lib/protocol/catalog';
import { asWheelhouseError, fromWire, WheelhouseError, wireErrorSchema } from '@/lib/errors/error';
import { ackSchema, ANSWERS, PUSHES } from './answers';
import { linkRefusalSchema } from '@/lib/links/link-terms';
import { planReconnect, type DisconnectReason } from './reconnect-plan';
import type { ConnectionState } from './connection-state';

/** Default time limit of a request, longer than any default budget of the server. Milliseconds. */
const ANSWER_MS = 35_000;

export interface ServerConnectionOptions {
  /** Origin of the server; the page's own when absent. */
  readonly url?: string;
  /** The workspace to connect to; the home workspace of the person when absent. */
  readonly workspace?: string | undefined;
  /** The share link that the page is for: then it has no workspace and no other credential. */
  readonly link?: string | undefined;
  readonly onConnection: (connection: ConnectionState) => void;
  /** The handshake has succeeded: subscriptions must be opened again. */
  readonly onOnline: (hello: ClientAnswers['hello']) => void;
  /** Reports the milliseconds from a request to its answer. */
  readonly onRoundTrip?: (ms: number) => void;
  /** Called after a refused handshake, whose reason a page cannot see. */
  readonly isSignedOut: () => Promise<boolean>;
  readonly random?: () => number;
}

/** Requests that the server answers at once: their round trip measures the latency. */
const SAYS_LATENCY: ReadonlySet<ClientEvent> = new Set<ClientEvent>(['hello', 'input']);

/** The page's only socket: handshake, requests with answers, and reconnecting. */
export class ServerConnection {
  readonly #socket: Socket;
  readonly #options: ServerConnectionOptions;
  #started = false;
  #attempt = 0;
  #online = false;
  /** The reason of the coming disconnect, when it is known before it happens. */
  #foretold: DisconnectReason | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ServerConnectionOptions) {
    this.#options = options;
    const settings = {
      path: '/socket.io',
      transports: ['websocket'],
      autoConnect: false,
      reconnection: false,
      withCredentials: true,
      ...whoAsks(options),
    };
    this.#socket = options.url === undefined ? io(settings) : io(options.url, { ...settings, forceNew: true });
    this.#socket.on('connect', () => void this.#shakeHands());
    this.#socket.on('disconnect', (reason) =>
      this.#lost(this.#foretold ?? { why: reason === 'io server disconnect' ? 'cut' : 'line' }),
    );
    this.#socket.on('connect_error', (error) => void this.#refused(error));
    this.#socket.on('goodbye', (why: unknown) => this.#goodbye(why));
  }

  get online(): boolean {
    return this.#online;
  }

  /** Connects; does nothing once started. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#options.onConnection({ state: 'connecting' });
    this.#socket.connect();
  }

  /** Reconnects now instead of after the planned wait. */
  retryNow(): void {
    if (!this.#started || this.#socket.connected) return;
    clearTimeout(this.#timer);
    this.#socket.connect();
  }

  /** Disconnects until `start` is called again. */
  stop(): void {
    this.#started = false;
    this.#online = false;
    clearTimeout(this.#timer);
    this.#socket.disconnect();
  }

  /** Listens to a push. The listener gets the raw payload and parses it. */
  on(event: string, listener: (...parts: unknown[]) => void): void {
    this.#socket.on(event, listener);
  }

  /**
   * Sends one event and waits for its answer (DO2).
   * @param timeoutMs milliseconds until TIMEOUT
   * @throws WheelhouseError: the server's error, TIMEOUT, or ABORTED when the connection is lost
   */
  async request<E extends ClientEvent>(
    event: E,
    payload: ClientPayload<E>,
    timeoutMs = ANSWER_MS,
  ): Promise<ClientAnswers[E]> {
    if (!this.#online && event !== 'hello') throw notConnected();
    const startedAt = performance.now();
    const ack = ackSchema.parse(await this.#emit(event, payload, timeoutMs));
    if (!ack.ok) throw fromWire(ack.error);
    if (SAYS_LATENCY.has(event)) this.#options.onRoundTrip?.(performance.now() - startedAt);
    return ANSWERS[event].parse(ack.data);
  }

  async #emit(event: ClientEvent, payload: unknown, timeoutMs: number): Promise<unknown> {
    try {
      return await this.#socket.timeout(timeoutMs).emitWithAck(event, payload);
    } catch (cause) {
      if (!this.#socket.connected) throw notConnected(cause);
      throw new WheelhouseError('TIMEOUT', { code: 'serverSilent' }, { cause, hint: { code: 'lineCure' } });
    }
  }

  async #shakeHands(): Promise<void> {
    try {
      const hello = await this.request('hello', { protocol: PROTOCOL_VERSION });
      if (hello.protocol !== PROTOCOL_VERSION) return this.#drop({ why: 'protocol' });
      this.#online = true;
      this.#attempt = 0;
      this.#options.onConnection({ state: 'online' });
      this.#options.onOnline(hello);
    } catch (thrown) {
      this.#drop(lossOf(asWheelhouseError(thrown), this.#options.link));
    }
  }

  /**
   * A refusal by the server carries a wire error. A refusal before that (no server, wrong origin) tells a page nothing,
   * so an HTTP request asks whether the page is signed in.
   */
  async #refused(error: Error): Promise<void> {
    const wire = 'data' in error ? wireErrorSchema.safeParse(error.data).data : undefined;
    if (wire) return this.#lost(lossOf(fromWire(wire), this.#options.link));
    this.#lost((await this.#options.isSignedOut()) ? { why: 'signed-out' } : { why: 'line' });
  }

  #goodbye(why: unknown): void {
    this.#foretold = { why: 'goodbye', retryInMs: PUSHES.goodbye.safeParse(why).data?.retryInMs };
  }

  /** Ends an unusable connection; the `disconnect` event then plans the next attempt. */
  #drop(loss: DisconnectReason): void {
    if (!this.#socket.connected) return;
    this.#foretold = loss;
    this.#socket.disconnect();
  }

  #lost(loss: DisconnectReason): void {
    this.#online = false;
    this.#foretold = undefined;
    if (!this.#started) return;
    clearTimeout(this.#timer);
    const plan = planReconnect(loss, this.#attempt, (this.#options.random ?? Math.random)());
    if (plan.do === 'give-up') return this.#options.onConnection(plan.state);
    this.#options.onConnection({ state: 'reconnecting', attempt: this.#attempt });
    this.#attempt += 1;
    this.#timer = setTimeout(() => this.#socket.connect(), plan.ms);
  }
}

/** What the handshake names. The address has the link, too: the server reads it before the handshake. */
function whoAsks({ workspace, link }: ServerConnectionOptions) {
  if (link !== undefined) return { auth: { link }, query: { link } };
  return { auth: workspace === undefined ? {} : { workspace } };
}

function lossOf(error: WheelhouseError, link: string | undefined): DisconnectReason {
  const refusal = linkRefusalSchema.safeParse(error.details?.['reason']).data;
  if (refusal !== undefined) return { why: 'link-over', refusal };
  // A link that ended in the middle of the handshake says why at the next one; its guests have nothing to sign in to.
  if (error.code === 'UNAUTHENTICATED') return { why: link === undefined ? 'signed-out' : 'cut' };
  if (error.code === 'NOT_FOUND') return { why: 'no-workspace' };
  return error.code === 'UNSUPPORTED' || error.code === 'BAD_REQUEST' ? { why: 'protocol' } : { why: 'line' };
}

/** True when the connection was lost, rather than the server having answered with an error. */
export function isConnectionLoss(thrown: unknown): boolean {
  return thrown instanceof WheelhouseError && thrown.code === 'ABORTED' && thrown.details?.['line'] === 'lost';
}

function notConnected(cause?: unknown): WheelhouseError {
  return new WheelhouseError(
    'ABORTED',
    { code: 'lineLost' },
    {
      cause,
      hint: { code: 'lineLostCure' },
      details: { line: 'lost' },
    },
  );
}
