import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { toWire, WheelhouseError } from '@/lib/errors/error';

const STARTING = new WheelhouseError('STORE_BUSY', 'Wheelhouse is starting; its sessions are not there yet.', {
  hint: 'Try again in a second.',
});

/**
 * Answers requests that arrive before the doors are mounted. Without a listener, Node never answers those requests,
 * even after the doors are mounted. The returned function removes the listener.
 */
export function answerEarly(server: Server): () => void {
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const api = request.url?.startsWith('/api/') === true;
    response.writeHead(STARTING.status, {
      'Content-Type': api ? 'application/json' : 'text/plain',
      'Retry-After': '1',
      Connection: 'close',
    });
    response.end(api ? JSON.stringify({ error: toWire(STARTING) }) : 'Wheelhouse is starting.\n');
  };
  server.on('request', answer);
  return () => server.off('request', answer);
}

/** Destroys every upgraded socket that no door claims (T10), since such a socket has no timeout. */
export function endUnclaimedUpgrades(server: Server, claims: (path: string) => boolean): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    if (!claims(request.url ?? '')) socket.destroy();
  });
}
