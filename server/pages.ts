import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import next from 'next';

export interface Pages {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  close(): Promise<void>;
}

/** Puts Next behind our server: its requests come through `handle`, its hot-reload socket by way of a sink. */
export async function mountPages(options: {
  server: Server;
  development: boolean;
  hostname: string;
  port: number;
}): Promise<Pages> {
  const { server, development, hostname, port } = options;
  // Next hangs its upgrade listener on this one, so that it never sees a socket that is not its own.
  const sink = new http.Server();
  const app = next({ dev: development, hostname, port, httpServer: sink });
  await app.prepare();
  const handle = app.getRequestHandler();
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (development && request.url?.startsWith('/_next/') === true) sink.emit('upgrade', request, socket, head);
  });
  return { handle: (request, response) => handle(request, response), close: () => app.close() };
}
