import { request as httpRequest, ServerResponse, type ClientRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline, type Duplex } from 'node:stream';
import { netErrorOf, type NetError } from './dial';
import { EGRESS_LIMITS } from './limits';
import type { EgressTarget } from './target';

/** Headers of one hop that a proxy does not forward (RFC 9110, 7.6.1), and Host, which is rewritten from the target. */
const PER_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
]);

/** Called when an exchange fails without an answer. */
type Failed = (error: NetError) => void;

/**
 * Forwards one request on a connection of its own and pipes back the answer, reading only as fast as the receiver
 * accepts.
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

/** Forwards an upgrade request on the same connection, such as a WebSocket without CONNECT. */
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

/** Pipes two connections both ways. Each direction ends on its own, because one may end before the other. */
export function pipeBoth(a: Duplex, b: Duplex): void {
  join(a, b);
  join(b, a);
}

/**
 * Destroys the connection, as the page would see without a proxy. Chrome then retries on a kept connection, so other
 * methods than GET and HEAD get a 502 instead, to avoid a second execution.
 */
export function failConnection({ method = 'GET' }: IncomingMessage, response: ServerResponse): void {
  if (method === 'GET' || method === 'HEAD') response.destroy();
  else response.writeHead(502, { Connection: 'close' }).end();
}

/** Writes an ordinary answer to a request that asked for an upgrade. */
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
    // Node accepts some headers on reading that it refuses on writing.
    failed('net::ERR_INVALID_HTTP_RESPONSE');
    answer.destroy();
    response.destroy();
    return;
  }
  // Sends the headers at once, because an event stream may send no data for a long time.
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

/** The raw header lines to forward, alternating name and value. `keep`: per-hop names to forward all the same. */
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
