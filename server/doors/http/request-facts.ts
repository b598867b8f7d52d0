import type { IncomingMessage } from 'node:http';

/** What signing in looks at: the headers, and the socket's own address, never a header's (T15). */
export function requestFacts(request: IncomingMessage): { headers: IncomingMessage['headers']; address: string } {
  return { headers: request.headers, address: request.socket.remoteAddress ?? '' };
}
