import { request as httpRequest, ServerResponse, type ClientRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline, type Duplex } from 'node:stream';
import { netErrorOf, type NetError } from './dial';
import { EGRESS_LIMITS } from './limits';
import type { EgressTarget } from './target';

/**
 * Of one connection only, not of the message (RFC 9110, 7.6.1), and those of the host, which is written anew from the
 * target.
 */
const PER_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
]);

/** What an exchange came to that has no answer. */
type Failed = (error: NetError) => void;

/**
 * Hands one request on over a connection of its own, and its answer back. What the other side cannot take yet is not
 * read (pipe).
 */
export function forward(
  request: IncomingMessage,
  response: ServerResponse,
  target: EgressTarget,
  socket: Socket,
  failed: Failed,
): void {
  const upstream = ask(request, target, socket, ['transfer-encoding']);
  upstream.on('continue', () => response.writeContinue());
  upstream.on('response', (answer) => giveBack(answer, response, failed));
  upstream.on('error', (error) => {
    if (response.headersSent) return;
    failed(netErrorOf(error));
    failConnection(request, response);
  });
  response.on('close', () => {
    if (!response.writableFinished) upstream.destroy();
  });
  request.on('error', () => upstream.destroy());
  request.pipe(upstream);
}

/** Hands on a request for another protocol on the same connection, as a WebSocket without CONNECT asks for. */
export function forwardUpgrade(
  request: IncomingMessage,
  client: Socket,
  head: Buffer,
  target: EgressTarget,
  socket: Socket,
  failed: Failed,
): void {
  const upstream = ask(request, target, socket, ['connection', 'upgrade']);
  upstream.on('upgrade', (answer, server, first) => {
    client.write(
      `HTTP/1.1 101 Switching Protocols\r\n${headerLines(endToEnd(answer.rawHeaders, ['connection', 'upgrade']))}\r\n`,
    );
    if (first.length > 0) client.write(first);
    if (head.length > 0) server.write(head);
    pipeBoth(client, server);
  });
  upstream.on('response', (answer) => giveBack(answer, responseOn(request, client), failed));
  upstream.on('error', (error) => {
    failed(netErrorOf(error));
    client.destroy();
  });
  client.on('close', () => upstream.destroy());
  upstream.end();
}

/** Joins two connections, each direction until it ends by itself: one may have ended while the other goes on. */
export function pipeBoth(a: Duplex, b: Duplex): void {
  join(a, b);
  join(b, a);
}

/**
 * The page meets a failed connection, as it would without a proxy between. Chrome asks once more on a connection that
 * was kept; what must not happen twice is answered 502 instead.
 */
export function failConnection({ method = 'GET' }: IncomingMessage, response: ServerResponse): void {
  if (method === 'GET' || method === 'HEAD') response.destroy();
  else response.writeHead(502, { Connection: 'close' }).end();
}

/** For a request that asked for an upgrade and is answered in the ordinary way. */
export function responseOn(request: IncomingMessage, client: Socket): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(client);
  response.on('finish', () => client.end());
  return response;
}

function ask(
  { method = 'GET', rawHeaders }: IncomingMessage,
  { authority, path }: EgressTarget,
  socket: Socket,
  keep: readonly string[],
): ClientRequest {
  return httpRequest({
    createConnection: () => socket,
    method,
    path,
    headers: ['Host', authority, ...endToEnd(rawHeaders, keep)],
    setHost: false,
    maxHeaderSize: EGRESS_LIMITS.headerBytes,
  });
}

function giveBack(answer: IncomingMessage, response: ServerResponse, failed: Failed): void {
  response.sendDate = false;
  try {
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, endToEnd(answer.rawHeaders));
  } catch {
    // Node reads headers that it will not write.
    failed('net::ERR_INVALID_HTTP_RESPONSE');
    answer.destroy();
    response.destroy();
    return;
  }
  // An event stream may have nothing to say for long.
  response.flushHeaders();
  pipeline(answer, response, () => undefined);
}

function join(from: Duplex, to: Duplex): void {
  from.pipe(to);
  from.on('error', () => to.destroy());
  from.on('close', () => {
    if (!from.readableEnded || to.writableFinished) to.destroy();
    else to.once('finish', () => to.destroy());
  });
}

function headerLines(raw: readonly string[]): string {
  return raw.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
}

/** Raw header lines, name after value, that are handed on; `keep`: of one hop, needed all the same. */
function endToEnd(raw: readonly string[], keep: readonly string[] = []): string[] {
  const named = new Set(
    valuesOf(raw, 'connection').flatMap((value) => value.split(',').map((name) => name.trim().toLowerCase())),
  );
  return pairs(raw).flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    if (keep.includes(lower)) return [name, value];
    return PER_HOP.has(lower) || named.has(lower) || lower.startsWith('proxy-') ? [] : [name, value];
  });
}

function valuesOf(raw: readonly string[], wanted: string): string[] {
  return pairs(raw).flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value] : []));
}

function pairs(raw: readonly string[]): [name: string, value: string][] {
  const found: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) found.push([raw[at] ?? '', raw[at + 1] ?? '']);
  return found;
}
