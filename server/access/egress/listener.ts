import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { DenialRule } from './address';
import type { NetError } from './dial';
import { EGRESS_LIMITS } from './limits';
import { pipeBoth, forward, forwardUpgrade, failConnection, responseOn } from './relay';
import { targetOfTunnel, targetOfUrl, type EgressTarget } from './target';

/** The outcome of a connect to a target. */
export type DialResult =
  | { readonly kind: 'open'; readonly socket: Socket }
  | { readonly kind: 'denied'; readonly rule: DenialRule }
  | { readonly kind: 'failed'; readonly error: NetError };

export interface EgressRoute {
  /** Checks a target and connects to it. Called for every request. Never throws. */
  open(target: EgressTarget, method: string): Promise<DialResult>;
  /** Records that an open connection ended without an answer. */
  failed(target: EgressTarget, error: NetError): void;
}

/** One HTTP proxy on a loopback port: absolute-form requests, CONNECT and upgrades. The port identifies the session. */
export class EgressListener {
  readonly #server: Server;
  /** Connections that the HTTP server handed over for CONNECT or an upgrade. */
  readonly #tunnels = new Set<Duplex>();
  /** The newest answer of each connection; HTTP sends answers in the order of the requests. */
  readonly #lastAnswer = new WeakMap<Duplex, ServerResponse>();

  constructor(private readonly route: EgressRoute) {
    const { headerBytes, headersMs, keepAliveMs, connections } = EGRESS_LIMITS;
    this.#server = createServer({
      maxHeaderSize: headerBytes,
      headersTimeout: headersMs,
      requestTimeout: 0,
      keepAliveTimeout: keepAliveMs,
      noDelay: true,
    });
    this.#server.maxConnections = connections;
    const ask = (request: IncomingMessage, response: ServerResponse): void =>
      endOnFault(request.socket, this.#request(request, response));
    this.#server.on('request', ask);
    this.#server.on('checkContinue', ask);
    this.#server.on('connect', (request, client, head) => endOnFault(client, this.#tunnel(request, client, head)));
    this.#server.on('upgrade', (request, client, head) => endOnFault(client, this.#upgrade(request, client, head)));
    this.#server.on('clientError', (_, client) => client.destroy());
    // Ignores accept errors such as out of memory; Chrome retries.
    this.#server.on('error', () => undefined);
  }

  /** Throws the system's error, EADDRINUSE for a taken port. */
  listen(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
  }

  /** Ends every connection. The port is free when the promise settles. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    for (const tunnel of this.#tunnels) tunnel.destroy();
    await closed;
  }

  async #request(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => response.destroy());
    this.#lastAnswer.set(request.socket, response);
    const target = targetOfUrl(request.url);
    if (!target) return notForProxies(response);
    const opened = await this.route.open(target, request.method ?? 'GET');
    if (opened.kind === 'denied') return deny(response, opened.rule);
    if (opened.kind === 'failed') return failConnection(request, response);
    if (response.destroyed) return void opened.socket.destroy();
    forward(request, response, target, opened.socket, (error) => this.route.failed(target, error));
  }

  async #upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const client = this.#handedOver(stream);
    const target = targetOfUrl(request.url);
    if (!client || !target) return void stream.destroy();
    const opened = await this.route.open(target, request.method ?? 'GET');
    if (opened.kind === 'denied') return deny(responseOn(request, client), opened.rule);
    if (opened.kind === 'failed') return void client.destroy();
    if (client.destroyed) return void opened.socket.destroy();
    forwardUpgrade(request, client, head, target, opened.socket, (error) => this.route.failed(target, error));
  }

  async #tunnel(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const client = this.#handedOver(stream);
    const target = targetOfTunnel(request.url);
    if (!client) return void stream.destroy();
    if (!target) return notForProxies(responseOn(request, client));
    const opened = await this.route.open(target, 'CONNECT');
    if (opened.kind === 'denied') return deny(responseOn(request, client), opened.rule);
    if (opened.kind === 'failed') return void responseOn(request, client).writeHead(502).end();
    if (client.destroyed) return void opened.socket.destroy();
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (head.length > 0) opened.socket.write(head);
    pipeBoth(client, opened.socket);
  }

  /**
   * Takes over a connection, so that `close` ends it. Undefined while an earlier answer is unfinished, because the
   * bytes would mix; Chrome never does this.
   */
  #handedOver(stream: Duplex): Socket | undefined {
    this.#tunnels.add(stream);
    stream.on('close', () => this.#tunnels.delete(stream));
    stream.on('error', () => stream.destroy());
    return stream instanceof Socket && this.#lastAnswer.get(stream)?.writableFinished !== false ? stream : undefined;
  }
}

/** Destroys the client's connection when our handler throws, so that the process survives. */
function endOnFault(client: Duplex, work: Promise<void>): void {
  work.catch(() => client.destroy());
}

/** The text of the denial page for each rule. The page has no scripts and is not cached. */
const REASONS: Readonly<Record<DenialRule, string>> = {
  'own-port': 'This address belongs to Wheelhouse itself.',
  'debug-port': 'This address controls a browser.',
  metadata: "This address hands out the machine's own credentials.",
  private: 'Private addresses are closed here.',
  unlisted: 'Only the sites that the workspace or the session lists are open here.',
  'no-session': 'This browser has no way out of its own; only its sessions have.',
};

function deny(response: ServerResponse, rule: DenialRule): void {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'",
    'Proxy-Status': `wheelhouse; error=http_request_denied; details="${rule}"`,
    Connection: 'close',
  };
  response
    .writeHead(403, headers)
    .end(
      `<!doctype html><meta charset="utf-8"><title>Blocked</title><h1>Blocked by Wheelhouse</h1><p>${REASONS[rule]}</p><p>Rule: ${rule}</p>`,
    );
}

function notForProxies(response: ServerResponse): void {
  response
    .writeHead(400, { 'Content-Type': 'text/plain', Connection: 'close' })
    .end('This is a proxy for http and CONNECT.\n');
}
