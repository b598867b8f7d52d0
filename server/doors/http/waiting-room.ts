import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Answers whoever comes before the doors are mounted: without a listener Node would leave them waiting for ever, also once one is there.
 * The returned function ends it.
 */
export function answerEarly(server: Server): () => void {
  const answer = (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(503, { 'Content-Type': 'text/plain', 'Retry-After': '1', Connection: 'close' }).end('Wheelhouse is starting.\n');
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
