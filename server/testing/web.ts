import { createServer, type RequestListener } from 'node:http';

/** The answer for one path: a page, or a listener. */
export type WebPage = string | RequestListener;

export interface Web {
  /** `elsewhere` is the same server as another site: Chrome gives its frames a process of their own. */
  readonly origin: string;
  readonly elsewhere: string;
  close(): void;
}

/**
 * Serves tiny pages on a loopback port: one for every path, or each at its own path with 404 for others. A page may
 * refer to the other site as `ELSEWHERE`.
 */
export async function startWeb(pages: string | Readonly<Record<string, WebPage>>): Promise<Web> {
  let elsewhere = '';
  const server = createServer((request, response) => {
    const page = typeof pages === 'string' ? pages : pages[(request.url ?? '/').split('?')[0] ?? '/'];
    if (typeof page === 'function') return void page(request, response);
    response
      .writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
      .end(`<!doctype html><meta charset="utf-8">${(page ?? '').replaceAll('ELSEWHERE', elsewhere)}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
  elsewhere = `http://localhost:${address.port}`;
  return {
    origin: `http://127.0.0.1:${address.port}`,
    elsewhere,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
