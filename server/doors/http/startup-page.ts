import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { toWire, WheelhouseError } from '@/lib/errors/error';

const STARTING = new WheelhouseError('STORE_BUSY', 'Wheelhouse is starting; its sessions are not there yet.', {
  hint: 'Try again in a second.',
});

/**
 * Answers whoever comes before the doors are mounted: without a listener Node would leave them waiting for ever, also
 * once one is there. The returned function ends it.
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

/** Ends every upgrade that no door claims (T10): nobody else would, and an upgraded socket has no timeout. */
export function endUnclaimedUpgrades(server: Server, claims: (path: string) => boolean): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    if (!claims(request.url ?? '')) socket.destroy();
  });
}
