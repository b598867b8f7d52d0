import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { withBudget } from '@/lib/budget/budget';
import { BUDGET_LIMITS } from '@/lib/budget/limits';
import { asWheelhouseError, toWire, WheelhouseError } from '@/lib/errors/error';
import { returnAddress } from '@/lib/text/return-address';
import { contentSecurityPolicy, dataHeaders, pageHeaders } from '@/server/access/page-headers';
import type { MemberPrincipal } from '@/server/access/principal';
import type { Services } from '../services';
import type { ApiListener } from './app';
import { ops } from './ops';
import { linkOf, requestFacts } from './request-facts';

export type NextHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface FrontOptions {
  readonly services: Services;
  readonly api: ApiListener;
  readonly next: NextHandler;
  readonly development: boolean;
  readonly requestId: (wanted: string | undefined) => string;
}

/** Pages and files that load without a sign-in; they contain nothing private (T10). */
const PUBLIC_PAGES = /^\/(?:sign-in|invitation|new-password|s\/[^/]+)$/;
/** The page of a share link asks for no account, so it is there before the first one. */
const LINK_PAGE = /^\/s\/[^/]+$/;
const ASSETS = /^\/(?:_next\/|icon\.svg|favicon\.ico)/;
/** The page of the own account, in whatever workspace. */
const ACCOUNT = '/settings/account';
/** Where the first owner makes their account. */
const FIRST_ACCOUNT = `${ACCOUNT}?first`;

/**
 * The server's only request listener: checks provenance, then the sign-in, then hands the request to its handler (AU6).
 */
export function createFront(options: FrontOptions): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const startedAt = performance.now();
    const { services } = options;
    const id = options.requestId(headerText(request, 'x-request-id'));
    response.setHeader('X-Request-Id', id);
    response.once('finish', () => {
      services.metrics.http(
        { method: request.method ?? '', route: routeOf(request.url ?? ''), status: response.statusCode },
        performance.now() - startedAt,
      );
    });
    serve(options, request, response).catch((error: unknown) => refuse(services, response, error, id));
  };
}

async function serve(options: FrontOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { services, api } = options;
  const verdict = services.access.authentication.checkRequest({
    method: request.method ?? 'GET',
    headers: request.headers,
    rawHeaders: request.rawHeaders,
    link: linkOf(request),
  });
  if (!verdict.ok) throw new WheelhouseError('FORBIDDEN', verdict.reason, { hint: verdict.cure });
  const { secure } = verdict.site;
  const path = pathOf(request);
  if (path === '/healthz' || path === '/readyz' || path === '/metrics') return ops(services, path, request, response);
  if (path === '/sign-in' && queryOf(request).has('token')) return signIn(services, request, response, secure);
  if (path.startsWith('/api/')) {
    setHeaders(response, dataHeaders({ secure }));
    return api(request, response);
  }
  if (path.startsWith('/socket.io'))
    throw new WheelhouseError('BAD_REQUEST', 'Socket.IO is spoken here over WebSocket only.');
  return page(options, request, response, path, secure);
}

/** Serves Next's pages. Checks the sign-in before Next runs (T10). */
async function page(
  options: FrontOptions,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  secure: boolean,
): Promise<void> {
  const { services, next, development } = options;
  if (!ASSETS.test(path) && !LINK_PAGE.test(path) && (await services.access.firstOwner.isMissing())) {
    const owner = await signedIn(services, request);
    if (!owner) return noAccountYet(response, secure);
    if (owner.person === services.access.owner.id && !path.endsWith(ACCOUNT)) return redirect(response, FIRST_ACCOUNT);
  }
  if (!PUBLIC_PAGES.test(path) && !ASSETS.test(path)) {
    const principal = await signedIn(services, request);
    if (!principal) return redirect(response, signInBack(request));
    const elsewhere = addressInWorkspace(services, principal, path);
    if (elsewhere !== undefined)
      return redirect(response, `${elsewhere}${new URL(request.url ?? '/', 'http://local').search}`);
  }
  const nonce = randomBytes(18).toString('base64');
  for (const name of Object.keys(request.headers))
    if (name.startsWith('x-middleware') || name === 'x-nonce') delete request.headers[name];
  request.headers['content-security-policy'] = contentSecurityPolicy({ nonce, development });
  request.headers['x-nonce'] = nonce;
  setHeaders(response, pageHeaders({ nonce, development, secure }));
  await next(request, response);
}

/** The person or key of a page; its address decides the workspace of the page's calls, not of the page itself. */
async function signedIn(services: Services, request: IncomingMessage): Promise<MemberPrincipal | undefined> {
  try {
    const init = { timeoutMs: BUDGET_LIMITS.readMs, clock: services.clock };
    const { authentication } = services.access;
    const { headers } = request;
    const facts = { headers, address: services.access.addressOf(request) };
    const found = await withBudget(init, (budget) =>
      budget.during('the sign-in', () => authentication.principalFromRequest(facts)),
    );
    return found?.kind === 'guest' ? undefined : found;
  } catch (error) {
    // An expired or wrong cookie counts as no cookie; every other error reaches the client.
    if (asWheelhouseError(error).code === 'UNAUTHENTICATED') return undefined;
    throw error;
  }
}

/**
 * Where an address without a workspace leads: to the home workspace, or of a session to the one that it is in, if the
 * caller is a member there.
 */
function addressInWorkspace(
  { access: { rights } }: Services,
  { person, workspace: home }: MemberPrincipal,
  path: string,
): string | undefined {
  const session = /^\/sessions\/([^/]+)\/?$/.exec(path)?.[1];
  if (path === '/') return `/w/${home}`;
  if (path.startsWith('/settings/')) return `/w/${home}${path}`;
  // Earlier versions had the page there.
  if (path === '/account') return `/w/${home}${ACCOUNT}`;
  if (session === undefined) return undefined;
  const there = rights.access(session)?.workspace;
  const workspace = there !== undefined && rights.roleOf(there, person) ? there : home;
  return `/w/${workspace}/sessions/${session}`;
}

function queryOf(request: IncomingMessage): URLSearchParams {
  return new URL(request.url ?? '/', 'http://local').searchParams;
}

/** Redeems the one-time link that the server prints at start (AU1). */
async function signIn(
  services: Services,
  request: IncomingMessage,
  response: ServerResponse,
  secure: boolean,
): Promise<void> {
  setHeaders(response, dataHeaders({ secure }));
  // Only a GET navigation redeems the link. A prefetching browser or a scanner's HEAD request must not use it up.
  if (request.method !== 'GET' || headerText(request, 'sec-purpose') !== undefined)
    throw new WheelhouseError('BAD_REQUEST', 'Open the sign-in link in a browser.');
  const token = queryOf(request).get('token') ?? '';
  try {
    const { authentication, owner, firstOwner } = services.access;
    const { setCookies, principal } = await authentication.redeem(token, requestFacts(services, request));
    response.setHeader('Set-Cookie', setCookies);
    const isFirst = principal.person === owner.id && (await firstOwner.isMissing());
    redirect(response, isFirst ? FIRST_ACCOUNT : '/');
  } catch (error) {
    if (asWheelhouseError(error).code !== 'UNAUTHENTICATED') throw error;
    redirect(response, '/sign-in?used=1');
  }
}

/** The sign-in page, which leads back to the page that was asked for (AU2). */
function signInBack(request: IncomingMessage): string {
  const to = returnAddress(request.url);
  return to === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(to)}`;
}

/** Refuses absolute-form targets, because this server is not a proxy (T10). */
function pathOf(request: IncomingMessage): string {
  const target = request.url ?? '/';
  if (!target.startsWith('/') || target.startsWith('//'))
    throw new WheelhouseError('BAD_REQUEST', 'The request target is not a path.');
  return new URL(target, 'http://local').pathname;
}

/** Maps a path to one of a bounded set of metric labels, never to the path itself. */
function routeOf(url: string): string {
  const route = /^\/(healthz|readyz|metrics|sign-in|api|_next|sessions|w|socket\.io)\b/.exec(url)?.[1];
  return route ?? 'page';
}

function refuse(services: Services, response: ServerResponse, thrown: unknown, requestId: string): void {
  const error = asWheelhouseError(thrown);
  if (error.code === 'INTERNAL') {
    services.metrics.fault('front');
    services.logger.error({ error: thrown, requestId }, 'a request failed by a fault of ours');
  }
  if (response.headersSent) return void response.end();
  setHeaders(response, dataHeaders({ secure: false }));
  response
    .writeHead(error.status, { 'Content-Type': 'application/json' })
    .end(JSON.stringify({ error: toWire(error) }));
}

/** A stranger must not be asked for a password that nobody has set (AU1). */
function noAccountYet(response: ServerResponse, secure: boolean): void {
  setHeaders(response, dataHeaders({ secure }));
  response
    .writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8' })
    .end(
      'This Wheelhouse has no account yet. Run "npm start -- --link" on the computer of the server and open the link.\n',
    );
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { Location: location, 'Cache-Control': 'no-store' }).end();
}

function setHeaders(response: ServerResponse, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

function headerText(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
