import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = fileURLToPath(new URL('./node_modules/', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.gif': 'image/gif',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
};

export interface RealSite {
  /** Without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

/** Handles a request and returns true; a request that it leaves is looked up among the files. */
export type SiteRoute = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Serves one package of e2e/real as published, on loopback. `routes`: the page's other endpoints. */
export async function serveFiles(folder: string, routes: SiteRoute = () => false): Promise<RealSite> {
  const root = path.join(PACKAGES, folder);
  const server = createServer((request, response) => {
    if (!routes(request, response)) void sendFile(root, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port was given.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function sendFile(root: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const file = path.join(root, decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname));
  const found = file.startsWith(root) ? await stat(file).catch(() => undefined) : undefined;
  if (!found?.isFile()) {
    response.writeHead(404).end('not found');
    return;
  }
  response.writeHead(200, {
    'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream',
    'content-length': found.size,
  });
  createReadStream(file).pipe(response);
}
