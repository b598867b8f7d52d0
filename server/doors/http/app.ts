import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import { createBudget, type Budget } from '@/lib/budget/budget';
import { ERROR_TABLE } from '@/lib/errors/codes';
import { asWheelhouseError, messageOf, toWire, WheelhouseError } from '@/lib/errors/error';
import { CAPS, countCall } from '@/server/access/limits';
import type { Principal } from '@/server/access/principal';
import type { Caller } from '@/server/session/caller';
import { explainMalformed } from '@/server/cdp/endpoint';
import { authenticated } from '../authenticated';
import { noteRefusal } from '../refusals';
import type { Services } from '../services';
import { documentRoutes } from './documents';
import { redacted } from './redacted';
import { requestFacts } from './request-facts';
import type { PublicRoute } from './public-route';
import type { Answer, Documented, RawInput, RouteContext, Route } from './route';
import { accountRoutes } from './routes/account';
import { accessRoutes } from './routes/access';
import { sessionPolicyRoutes } from './routes/session-policy';
import { controlRoutes } from './routes/control';
import { commentRoutes } from './routes/comments';
import { bufferRoutes } from './routes/buffers';
import { fileRoutes } from './routes/files';
import { invitationRoutes, publicInvitationRoutes } from './routes/invitations';
import { keyRoutes } from './routes/keys';
import { linkRoutes, publicLinkRoutes } from './routes/links';
import { memberRoutes } from './routes/members';
import { logRoutes } from './routes/log';
import { signInRoutes } from './routes/sign-in';
import { providerRoutes } from './routes/provider';
import { newPasswordRoutes } from './routes/new-password';
import { serverRoutes } from './routes/server';
import { sessionRoutes } from './routes/sessions';
import { signInsRoutes } from './routes/sign-ins';
import { stateRoutes } from './routes/state';
import { timelineRoutes } from './routes/timeline';
import { traceRoutes } from './routes/trace';
import { tabRoutes } from './routes/tab';
import { browserRoutes } from './routes/browsers';
import { workspaceRoutes } from './routes/workspaces';

/** `input`: the part of the request body that was read. */
type Env = { Bindings: HttpBindings; Variables: { input?: unknown } };

/** Every route of the HTTP door (DO1). */
export const ROUTES: readonly Route[] = [
  ...sessionRoutes,
  ...tabRoutes,
  ...bufferRoutes,
  ...stateRoutes,
  ...traceRoutes,
  ...controlRoutes,
  ...timelineRoutes,
  ...browserRoutes,
  ...keyRoutes,
  ...logRoutes,
  ...serverRoutes,
  ...fileRoutes,
  ...invitationRoutes,
  ...memberRoutes,
  ...signInsRoutes,
  ...accountRoutes,
  ...accessRoutes,
  ...linkRoutes,
  ...commentRoutes,
  ...sessionPolicyRoutes,
  ...workspaceRoutes,
];

/** The routes that need no sign-in. */
export const PUBLIC_ROUTES: readonly PublicRoute[] = [
  ...signInRoutes,
  ...publicInvitationRoutes,
  ...newPasswordRoutes,
  ...providerRoutes,
  ...publicLinkRoutes,
];
const ALL: readonly Documented[] = [...ROUTES, ...PUBLIC_ROUTES];

export type ApiListener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Creates the HTTP API as a request listener. It answers every request, and failures in the form of the error table.
 */
export function createApi(services: Services): ApiListener {
  const app = new Hono<Env>();
  for (const route of ROUTES) app.on(route.method, route.path, (context) => answered(services, route, context));
  for (const route of PUBLIC_ROUTES)
    app.on(route.method, route.path, (context) => publicAnswer(services, route, context));
  for (const [path, make] of Object.entries(documentRoutes(ALL)))
    app.get(path, (context) => context.body(make.text, 200, { 'Content-Type': make.type, ...make.headers }));
  // A path of fixed words first: `/invitations/open` is no `/invitations/:id`.
  for (const path of new Set([...PUBLIC_ROUTES, ...ROUTES].map((route) => route.path)))
    app.all(path, (context) => methodNotAllowed(context, path));
  app.notFound((context) =>
    failure(
      new WheelhouseError('NOT_FOUND', `There is no ${context.req.method} ${context.req.path} here.`, {
        hint: 'See /api/docs.',
      }),
    ),
  );
  app.onError((error, context) => failed(services, context, error));
  return getRequestListener(app.fetch, { overrideGlobalObjects: false });
}

async function answered(services: Services, route: Route, context: Context<Env>): Promise<Response> {
  try {
    return await answer(services, route, context);
  } catch (thrown) {
    if (!route.failed) throw thrown;
    return respond(
      route.failed(asReported(services, context, thrown), { params: context.req.param(), input: context.get('input') }),
    );
  }
}

function answer(services: Services, route: Route, context: Context<Env>): Promise<Response> {
  return withinCall(services, route, context, async (budget, gone, lasting) => {
    const request = requestFacts(services, context.env.incoming);
    const principal = await authenticated(budget, services, request);
    await budget.race(countCall(services.access.limits, principal));
    lasting(endsWithCredential(services, principal, gone));
    const caller: Caller = { principal, door: principal.kind === 'agent' ? 'http' : 'ui' };
    const abort = (reason: WheelhouseError): void => gone.abort(reason);
    const given: RouteContext = { services, caller, request, budget, signal: gone.signal, abort, lasting };
    try {
      return await redacted(given, context.req.param('s'), () => route.run(given, rawInput(route, context)));
    } catch (thrown) {
      noteRefusal(services, caller, `${route.method} ${route.path}`, thrown);
      throw thrown;
    }
  });
}

function publicAnswer(services: Services, route: PublicRoute, context: Context<Env>): Promise<Response> {
  return withinCall(services, route, context, async (budget) => {
    const request = requestFacts(services, context.env.incoming);
    await budget.race(services.access.limits.publicCallsPerAddress.demand(request.address));
    return budget.race(route.run({ services, budget, request }, rawInput(route, context)));
  });
}

/**
 * Runs a call within the budget of its route. `gone` aborts it, also when the client goes away; what is `lasting` runs
 * when the answer is over.
 */
async function withinCall(
  { clock }: Services,
  { timeoutMs }: Documented,
  { env: { outgoing } }: Context<Env>,
  work: (budget: Budget, gone: AbortController, lasting: RouteContext['lasting']) => Promise<Answer>,
): Promise<Response> {
  const gone = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort(new WheelhouseError('ABORTED', 'The client went away.'));
  });
  const budget = createBudget({ timeoutMs, clock, signal: gone.signal });
  const offs: (() => void)[] = [];
  const over = (): void => offs.splice(0).forEach((off) => off());
  let streams = false;
  try {
    const answer = await work(budget, gone, (off) => void offs.push(off));
    streams = 'lines' in answer || 'file' in answer;
    if (streams) lastsWithRight(outgoing, gone.signal, over);
    return respond(answer);
  } finally {
    if (!streams) over();
    budget.dispose();
  }
}

/** An answer that is sent bit by bit is cut off when the caller's right or credential ends (T9). */
function lastsWithRight(outgoing: ServerResponse, right: AbortSignal, over: () => void): void {
  if (outgoing.closed) return over();
  outgoing.once('close', over);
  if (right.aborted) outgoing.destroy();
  right.addEventListener('abort', () => outgoing.destroy(), { once: true });
}

function rawInput(route: Documented, context: Context<Env>): RawInput {
  // `workspace` and `link` are for every route: they decide who the caller is there.
  const query = Object.entries(context.req.query()).filter(([name]) => name !== 'workspace' && name !== 'link');
  return { params: context.req.param(), query: Object.fromEntries(query), body: () => bodyOf(route, context) };
}

/** Aborts the call when the caller's sign-in or key ends (AU3). The returned function removes the listener. */
function endsWithCredential({ access }: Services, { credential }: Principal, call: AbortController): () => void {
  return access.onRevoked(({ kind, id }) => {
    if (credential.kind === kind && credential.id === id)
      call.abort(new WheelhouseError('UNAUTHENTICATED', 'This sign-in, key or link has ended.'));
  });
}

async function bodyOf(route: Documented, context: Context<Env>): Promise<unknown> {
  if (route.streams) return context.req.raw.body ?? undefined;
  const body = await readBody(context);
  context.set('input', body);
  return body;
}

/** Reads a JSON body; an empty one gives undefined. Throws BAD_REQUEST for other content, TOO_LARGE above the cap. */
async function readBody(context: Context<Env>): Promise<unknown> {
  if (context.req.method === 'GET') return undefined;
  if (Number(context.req.header('content-length') ?? 0) > CAPS.messageBytes) throw tooLarge();
  const text = await boundedText(context.req.raw);
  if (text.trim() === '') return undefined;
  const type = context.req.header('content-type') ?? '';
  if (!/^application\/json\b/i.test(type))
    throw new WheelhouseError('BAD_REQUEST', 'The body is not JSON.', {
      hint: 'Send "Content-Type: application/json".',
    });
  try {
    return JSON.parse(text);
  } catch (error) {
    const problem = `is not valid JSON: ${messageOf(error).slice(0, 200)}`;
    throw new WheelhouseError('BAD_REQUEST', `The body ${problem}.`, {
      hint: 'Send one JSON object, and nothing beside it.',
      details: { fields: [{ field: 'body', problem }] },
      cause: error,
    });
  }
}

/**
 * Reads at most the cap, because a chunked body does not declare its length. Throws ABORTED when the client disconnects
 * before the end.
 */
async function boundedText(request: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > CAPS.messageBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof WheelhouseError
      ? error
      : new WheelhouseError('ABORTED', 'The client disconnected before its request was complete.', { cause: error });
  }
  return Buffer.concat(chunks).toString('utf8');
}

function withCookies(cookies: readonly string[] = []): Headers {
  const headers = new Headers();
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  return headers;
}

function respond(answer: Answer): Response {
  if ('json' in answer) {
    return Response.json(answer.json ?? null, { status: answer.status, headers: withCookies(answer.cookies) });
  }
  if ('location' in answer) {
    const headers = withCookies(answer.cookies);
    headers.set('Location', answer.location);
    headers.set('Content-Type', 'text/plain; charset=utf-8');
    return new Response('', { status: answer.status, headers });
  }
  if ('text' in answer)
    return new Response(answer.text, {
      status: answer.status,
      headers: { 'Content-Type': `${answer.type}; charset=utf-8` },
    });
  if ('lines' in answer)
    return new Response(streamOf(answer.lines), {
      status: answer.status,
      headers: { 'Content-Type': `${answer.type}; charset=utf-8` },
    });
  if ('file' in answer) return attachment(answer);
  return new Response(Uint8Array.from(answer.bytes), {
    status: answer.status,
    headers: { 'Content-Type': answer.type, 'Content-Disposition': 'inline' },
  });
}

/** Produces lines only as fast as the client reads them. */
function streamOf(lines: AsyncGenerator<string, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: async (stream) => {
      const { done, value } = await lines.next();
      if (done === true) stream.close();
      else stream.enqueue(encoder.encode(value));
    },
    cancel: async () => void (await lines.return(undefined)),
  });
}

/** Sends a file as an attachment, so that the browser never renders a page's content under our origin (T13). */
function attachment({ status, file, name, size }: Extract<Answer, { file: unknown }>): Response {
  const headers = {
    'Content-Type': 'application/octet-stream',
    'Content-Length': String(size),
    'Content-Disposition': `attachment; filename="file"; filename*=UTF-8''${encodeURIComponent(name).replaceAll("'", '%27')}`,
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  };
  return new Response(file, { status, headers });
}

function failed(services: Services, context: Context<Env>, thrown: unknown): Response {
  return failure(asReported(services, context, thrown));
}

/** Converts a thrown value to the error for the caller. Counts and logs internal faults. */
function asReported(services: Services, context: Context<Env>, thrown: unknown): WheelhouseError {
  const error = asWheelhouseError(explainMalformed(thrown));
  if (error.code === 'INTERNAL') {
    services.metrics.fault('http');
    services.logger.error(
      { error: thrown, route: context.req.path, requestId: context.env.outgoing.getHeader('X-Request-Id') },
      'a request failed by a fault of ours',
    );
  }
  return error;
}

function failure(error: WheelhouseError): Response {
  return Response.json({ error: toWire(error) }, { status: plainStatus(error) });
}

/** The status of a failed route that is not an action; never 200. */
function plainStatus(error: WheelhouseError): number {
  const { status } = ERROR_TABLE[error.code];
  if (status !== 200) return status;
  if (error.code === 'TIMEOUT') return 504;
  return error.code === 'TAB_UNRESPONSIVE' || error.code === 'TAB_CRASHED' ? 503 : 409;
}

function methodNotAllowed(context: Context<Env>, path: string): Response {
  const allowed = ALL.filter((route) => route.path === path).map((route) => route.method);
  const error = new WheelhouseError('BAD_REQUEST', `${context.req.method} is not for this address.`, {
    hint: `Use ${allowed.join(' or ')}.`,
  });
  return Response.json({ error: toWire(error) }, { status: 405, headers: { Allow: allowed.join(', ') } });
}

function tooLarge(): WheelhouseError {
  return new WheelhouseError('TOO_LARGE', 'The body is larger than 1 MiB.', { details: { limit: CAPS.messageBytes } });
}
