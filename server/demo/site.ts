import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { page, sendAnswer, type Answer } from '@/server/demo/http/answer';
import { EMPTY_FORM, readForm, type SentForm } from '@/server/demo/http/form';
import { matchRoute, type DemoRoute, type Visit } from '@/server/demo/http/router';
import { problemPage } from '@/server/demo/pages/guides';
import { assetAt } from '@/server/demo/routes/assets';
import { BROWSE } from '@/server/demo/routes/browse';
import { BUY } from '@/server/demo/routes/buy';
import { EXTRAS } from '@/server/demo/routes/extras';
import { createEffects, type Effects } from '@/server/demo/shop/effects';
import { COOKIE, createShoppers, type Shopper, type Shoppers } from '@/server/demo/shop/shoppers';

interface DemoSiteOptions {
  /** Address to listen on; loopback unless said otherwise. */
  readonly host?: string;
  /** 0, the default, lets the system choose. */
  readonly port?: number;
  /** The shop's calendar, for delivery dates. */
  readonly now?: () => Date;
}

export interface DemoSite {
  /** Without a slash at the end, such as `http://127.0.0.1:41234`. */
  readonly url: string;
  /** Stops listening and ends every connection. May be called again. */
  close(): Promise<void>;
}

interface Shop {
  readonly effects: Effects;
  readonly shoppers: Shoppers;
  readonly now: () => Date;
}

const ROUTES: readonly DemoRoute[] = [...BROWSE, ...BUY, ...EXTRAS];

/**
 * Starts the bundled shop "Fern & Field": plain HTTP, no files, no internet, everything in memory.
 * `GET /__effects` returns the counted effects. Rejects with the system's error when the address is taken.
 */
export async function startDemoSite({
  host = '127.0.0.1',
  port = 0,
  now = () => new Date(),
}: DemoSiteOptions = {}): Promise<DemoSite> {
  const shop: Shop = { effects: createEffects(), shoppers: createShoppers(), now };
  const server = createServer((request, response) => {
    serve(shop, request, response).catch((fault: unknown) => fail(response, fault));
  });
  server.listen(port, host);
  await once(server, 'listening');
  return { url: addressOf(server), close: () => close(server) };
}

async function serve(shop: Shop, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = addressAsked(request.url ?? '/');
  const asset = assetAt(pathname);
  if (asset) return sendAnswer(response, asset, {});
  const shopper = shop.shoppers.visit(cookieOf(request));
  const visit = {
    path: pathname,
    query: searchParams,
    name: '',
    form: EMPTY_FORM,
    shopper,
    effects: shop.effects,
    now: shop.now(),
  };
  const { answer, headers } = await answerTo(visit, request);
  sendAnswer(response, answer, { ...headers, 'set-cookie': cookieFor(shopper) });
}

/**
 * The URL of a request target. Some targets are no address at all (`//`, `http://`); these map to a path that is not
 * found.
 */
function addressAsked(target: string): URL {
  const base = 'http://shop.invalid';
  return URL.canParse(target, base) ? new URL(target, base) : new URL('/not-an-address', base);
}

interface Routed {
  readonly answer: Answer;
  readonly headers: Readonly<Record<string, string>>;
}

async function answerTo(visit: Visit, request: IncomingMessage): Promise<Routed> {
  const match = matchRoute(ROUTES, request.method ?? 'GET', visit.path);
  switch (match.kind) {
    case 'unknown':
      return problem(visit, 404, 'Nothing grows here', 'There is no page at this address.');
    case 'wrong-method':
      return {
        ...problem(visit, 405, 'That did not work', 'This address does not take that kind of request.'),
        headers: { allow: match.allow },
      };
    case 'found': {
      const form = await formOf(request);
      if (typeof form === 'number')
        return { ...problem(visit, form, 'That did not work', UNREADABLE[form]), headers: { connection: 'close' } };
      return { answer: match.route.handle({ ...visit, name: match.name, form }), headers: {} };
    }
  }
}

const UNREADABLE = { 400: 'The form could not be read.', 413: 'The file is too large: at most 2 MB.' } as const;

/** The submitted form, or the status that refuses it. */
async function formOf(request: IncomingMessage): Promise<SentForm | 400 | 413> {
  if (request.method !== 'POST') return EMPTY_FORM;
  const result = await readForm(request);
  return result.ok ? result.form : result.status;
}

function problem(visit: Visit, status: number, title: string, text: string): Routed {
  return { answer: page(problemPage(visit, title, text), status), headers: {} };
}

function cookieOf(request: IncomingMessage): string | undefined {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
}

function cookieFor(shopper: Shopper): string {
  return `${COOKIE}=${shopper.id}; Path=/; HttpOnly; SameSite=Lax`;
}

/** Ends the connection after a broken request or a fault of ours; the shop goes on. */
function fail(response: ServerResponse, fault: unknown): void {
  const reason = fault instanceof Error ? fault : new Error(String(fault));
  if (response.headersSent) response.destroy(reason);
  else response.writeHead(500, { 'content-type': 'text/plain', connection: 'close' }).end('The shop had a problem.\n');
}

function addressOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the demo shop has no TCP address');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
