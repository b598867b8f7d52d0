import { createServer } from 'node:net';

export interface Canary {
  readonly port: number;
  /** Number of connections so far. */
  readonly hits: () => number;
  close(): void;
}

/** A port that no page may reach, on every address of this machine; counts connections at the socket. */
export function startCanary(port = 0): Promise<Canary> {
  let hits = 0;
  const server = createServer((socket) => {
    hits += 1;
    socket.on('error', () => socket.destroy());
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\nAccess-Control-Allow-Origin: *\r\n\r\ncanary');
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '::', () => {
      const address = server.address();
      if (typeof address !== 'object' || address === null) throw new Error('A TCP server has a port.');
      resolve({ port: address.port, hits: () => hits, close: () => void server.close() });
    });
  });
}
