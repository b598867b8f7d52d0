import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping';
import { WebSocket } from 'ws';

type Commands = ProtocolMapping.Commands;

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

const VIEWPORT = { width: 1280, height: 720, deviceScaleFactor: 1, mobile: false } as const;

/** The baseline: a script that an engineer writes in an afternoon with a WebSocket. Shares no code with the server. */
export class PlainScript {
  #lastId = 0;
  readonly #pending = new Map<number, Pending>();
  readonly #waiting = new Map<string, () => void>();
  readonly #tabs = new Set<PlainTab>();

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data) => this.#message(Buffer.isBuffer(data) ? data.toString() : ''));
  }

  /** @param wsUrl browser WebSocket of a running Chrome. */
  static async open(wsUrl: string): Promise<PlainScript> {
    const socket = new WebSocket(wsUrl, { perMessageDeflate: false, maxPayload: 256 * 1024 * 1024 });
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    return new PlainScript(socket);
  }

  /** A loaded tab with the size and focus emulation of ours. It is closed with the script. */
  async tab(url: string): Promise<PlainTab> {
    // Chrome sends all requests to the server's egress proxy, which knows only contexts of sessions.
    const { browserContextId } = await this.send('', 'Target.createBrowserContext', {
      disposeOnDetach: true,
      proxyServer: 'direct://',
    });
    const { targetId } = await this.send('', 'Target.createTarget', { url: 'about:blank', browserContextId });
    const tab = await this.attach(targetId);
    this.#tabs.add(tab);
    await tab.send('Page.enable');
    await tab.send('Emulation.setFocusEmulationEnabled', { enabled: true });
    await tab.send('Emulation.setDeviceMetricsOverride', VIEWPORT);
    await tab.goto(url);
    return tab;
  }

  /** One more session on a tab, ready for commands. */
  async attach(targetId: string): Promise<PlainTab> {
    const { sessionId } = await this.send('', 'Target.attachToTarget', { targetId, flatten: true });
    const tab = new PlainTab(this, targetId, sessionId);
    await tab.value('0');
    return tab;
  }

  /** Rejects with Chrome's error; waits as long as Chrome takes. `session`: empty for the browser itself. */
  send<M extends keyof Commands>(
    session: string,
    method: M,
    ...params: Commands[M]['paramsType']
  ): Promise<Commands[M]['returnType']>;
  send(session: string, method: string, params?: unknown): Promise<unknown> {
    const id = (this.#lastId += 1);
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.socket.send(
        JSON.stringify({ id, method, params: params ?? {}, ...(session === '' ? {} : { sessionId: session }) }),
      );
    });
  }

  /** Resolves with the next event of this name on a session. */
  next(session: string, event: string): Promise<void> {
    return new Promise((resolve) => this.#waiting.set(`${session} ${event}`, resolve));
  }

  async closeTab(tab: PlainTab): Promise<void> {
    this.#tabs.delete(tab);
    await this.send('', 'Target.closeTarget', { targetId: tab.targetId });
  }

  async closeTabs(): Promise<void> {
    for (const tab of [...this.#tabs]) await this.closeTab(tab);
  }

  close(): void {
    this.socket.close();
  }

  #message(text: string): void {
    const message: unknown = JSON.parse(text);
    if (typeof message !== 'object' || message === null) return;
    if ('id' in message && typeof message.id === 'number') this.#answer(message.id, message);
    else if ('method' in message && 'sessionId' in message)
      this.#waiting.get(`${String(message.sessionId)} ${String(message.method)}`)?.();
  }

  #answer(id: number, message: object): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if ('error' in message) pending?.reject(new Error(JSON.stringify(message.error)));
    else pending?.resolve('result' in message ? message.result : undefined);
  }
}

/** A session of the plain script on one tab. */
export class PlainTab {
  constructor(
    private readonly script: PlainScript,
    readonly targetId: string,
    private readonly session: string,
  ) {}

  send<M extends keyof Commands>(method: M, ...params: Commands[M]['paramsType']): Promise<Commands[M]['returnType']> {
    return this.script.send(this.session, method, ...params);
  }

  /** The value of an expression; awaits a promise. */
  async value(expression: string): Promise<unknown> {
    const { result } = await this.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    const value: unknown = result.value;
    return value;
  }

  async goto(url: string): Promise<void> {
    const loaded = this.script.next(this.session, 'Page.loadEventFired');
    await this.send('Page.navigate', { url });
    await loaded;
    await this.twoFrames();
  }

  async twoFrames(): Promise<void> {
    await this.value('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))');
  }

  /** Moves, presses and releases the left button, each acknowledged. CSS pixels. */
  async click(x: number, y: number): Promise<void> {
    await this.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
    await this.send('Input.dispatchMouseEvent', {
      type: 'mousePressed',
      x,
      y,
      button: 'left',
      buttons: 1,
      clickCount: 1,
    });
    await this.send('Input.dispatchMouseEvent', {
      type: 'mouseReleased',
      x,
      y,
      button: 'left',
      buttons: 0,
      clickCount: 1,
    });
  }
}
