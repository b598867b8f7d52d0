import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReverseProxy {
  readonly origin: string;
  close(): void;
}

/**
 * A small reverse proxy, as nginx or Caddy would be: keeps the Host header, forwards WebSockets, and adds its client's
 * address to X-Forwarded-For. Every client here has the same one, so `client` gives the address to add.
 */
export async function startReverseProxy(to: string, client: string): Promise<ReverseProxy> {
  const { hostname, port } = new URL(to);
  const forward = (incoming: IncomingMessage) => {
    const before = incoming.headers['x-forwarded-for'];
    const headers = { ...incoming.headers, 'x-forwarded-for': before ? `${String(before)}, ${client}` : client };
    return request({ hostname, port, method: incoming.method, path: incoming.url, headers, agent: false });
  };
  const server = createServer((incoming, response) => {
    const outgoing = forward(incoming);
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  server.on('upgrade', (incoming, socket, early) => {
    const outgoing = forward(incoming);
    outgoing.on('upgrade', (answer, upstream, first) => {
      const { rawHeaders: raw } = answer;
      const lines = raw.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${raw[at + 1]}`] : []));
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
      socket.write(first);
      upstream.write(early);
      socket.pipe(upstream).pipe(socket);
      socket.on('error', () => upstream.destroy());
      upstream.on('error', () => socket.destroy());
    });
    outgoing.on('response', () => socket.destroy());
    outgoing.on('error', () => socket.destroy());
    outgoing.end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  // A TCP server that listens has a port.
  const { port: own }: Partial<AddressInfo> = Object(server.address());
  return {
    origin: `http://127.0.0.1:${own}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
