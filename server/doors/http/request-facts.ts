import type { IncomingMessage } from 'node:http';

/** The request facts for sign-in: the headers and the socket's own address, never an address from a header (T15). */
export function requestFacts(request: IncomingMessage): { headers: IncomingMessage['headers']; address: string } {
  return { headers: request.headers, address: request.socket.remoteAddress ?? '' };
}
