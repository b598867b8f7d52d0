import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { humanOf } from '@/server/access/principal';
import { sized } from '@/server/testing/sized';
import { serveHtml } from '@/server/testing/page-fixture';
import { signedInPerson } from '@/server/testing/people';
import { startTestServer, TEST_KEY, type ApiAnswer, type TestServer } from '@/server/testing/server';
import { PUBLIC_ROUTES, ROUTES } from './app';

/**
 * Sends every route good and bad requests, and checks that each answer is one that the OpenAPI document allows.
 */

const jsonSchema = z.record(z.string(), z.unknown());
const contentSchema = z.record(z.string(), z.object({ schema: jsonSchema.optional() }));
const operationSchema = z.object({
  operationId: z.string(),
  parameters: z.array(
    z.object({ name: z.string(), in: z.enum(['path', 'query']), required: z.boolean(), schema: jsonSchema }),
  ),
  requestBody: z.object({ content: contentSchema }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content: contentSchema })),
});
type Operation = z.infer<typeof operationSchema>;
const documentSchema = z.object({
  openapi: z.literal('3.1.0'),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({ schemas: jsonSchema }),
});

interface Sent {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
  /** Sent by the signed-in owner instead of by key. */
  readonly person?: boolean;
}

let server: TestServer;
let page: { port: number; close: () => void };
let document: z.infer<typeof documentSchema>;
let session: string;
let cookie: string;

beforeAll(async () => {
  server = await startTestServer({ env: { TIMELINE_PICTURES_MB: '1' } });
  page = await serveHtml('<title>Contract</title><button>One</button>');
  session = (await server.session(`http://127.0.0.1:${page.port}/`)).id;
  cookie = await server.signIn();
  document = documentSchema.parse((await server.api('GET', '/api/v1/openapi.json')).body);
});

afterAll(async () => {
  page.close();
  await server.close();
});

const idOf = (answer: ApiAnswer): string => z.object({ id: z.string() }).parse(answer.body).id;
const aLink = async (s: string): Promise<{ id: string; secret: string }> => {
  const { body } = await server.api('POST', `/api/v1/sessions/${s}/links`, {});
  const { id, url } = z.object({ id: z.string(), url: z.string() }).parse(body);
  return { id, secret: new URL(url).hash.slice(1) };
};
const aComment = async (s: string): Promise<string> =>
  idOf(await server.api('POST', `/api/v1/sessions/${s}/tabs/t1/comments`, { text: 'Look here' }));
const invited = async (): Promise<string> => idOf(await server.api('POST', '/api/v1/invitations', { role: 'viewer' }));
/** The token of a new invitation. */
const token = async (): Promise<string> => {
  const { body } = await server.api('POST', '/api/v1/invitations', { role: 'viewer' });
  return new URL(z.object({ url: z.string() }).parse(body).url).hash.slice(1);
};
let addresses = 0;
/** A member with an address. */
async function addressed() {
  const member = await signedInPerson(server, 'viewer');
  await server.running.services.store.people.setEmail(member.id, `a${(addresses += 1)}@example.com`, new Date());
  return member;
}
/** The token of a new link to choose a password. */
async function passwordToken(): Promise<string> {
  const { id } = await addressed();
  const { access } = server.running.services;
  const owner = await access.authentication.requirePrincipal({
    headers: { cookie: await server.signIn() },
    address: '',
  });
  return new URL((await access.passwordLinks.give(humanOf(owner), id)).url).hash.slice(1);
}
/** One that is there: the requests of this test make more than the cap. */
const anInvitation = async (): Promise<string> => {
  const { body } = await server.api('GET', '/api/v1/invitations');
  return z.array(z.object({ id: z.string() })).parse(body)[0]?.id ?? invited();
};
/** Another sign-in of the owner. */
const anotherSignIn = async (): Promise<string> => {
  await server.signIn();
  const { body } = await byPerson('GET', '/api/v1/account/sign-ins', undefined);
  const listed = z.array(z.object({ id: z.string(), here: z.boolean() })).parse(body);
  return listed.find(({ here }) => !here)?.id ?? '';
};
const tab = 'active';

const PASSKEY = {
  ...{ id: 'AAAA', rawId: 'AAAA', type: 'public-key', clientExtensionResults: {} },
  response: { clientDataJSON: 'e30', attestationObject: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
};

/** A good request for each operation; it first creates the things it needs. A route without one fails the test. */
const GOOD: Readonly<Record<string, (s: string) => Sent | Promise<Sent>>> = {
  'get /api/v1/sessions': () => ({}),
  'get /api/v1/log': () => ({}),
  'get /api/v1/server': () => ({}),
  'get /api/v1/server/bundle': () => ({}),
  'post /api/v1/sessions': () => ({ body: { name: 'Made by the contract', viewport: { width: 640, height: 480 } } }),
  'post /api/v1/invitations/open': async () => ({ body: { token: await token() } }),
  'post /api/v1/invitations/accept': async () => ({
    body: { token: await token(), name: 'Lin', email: 'lin@example.com', password: 'a long password' },
  }),
  'get /api/v1/sessions/{s}': (s) => ({ path: { s } }),
  'patch /api/v1/sessions/{s}': (s) => ({ path: { s }, body: { name: 'Renamed' } }),
  'delete /api/v1/sessions/{s}': async () => ({ path: { s: (await server.session()).id } }),
  'post /api/v1/sessions/{s}/browser': (s) => ({ path: { s }, body: {} }),
  'post /api/v1/sessions/{s}/stay': (s) => ({ path: { s }, body: {} }),
  'post /api/v1/sessions/{s}/pause': (s) => ({ path: { s }, body: {} }),
  'post /api/v1/sessions/{s}/resume': (s) => ({ path: { s }, body: {} }),
  'get /api/v1/sessions/{s}/tabs': (s) => ({ path: { s } }),
  'post /api/v1/sessions/{s}/tabs': (s) => ({ path: { s }, body: { label: `tab ${Math.random()}`.slice(0, 20) } }),
  'delete /api/v1/sessions/{s}/tabs/{t}': async (s) => ({
    path: { s, t: idOf(await server.api('POST', `/api/v1/sessions/${s}/tabs`, {})) },
  }),
  'post /api/v1/sessions/{s}/tabs/{t}/focus': (s) => ({ path: { s, t: 't1' } }),
  'post /api/v1/sessions/{s}/tabs/{t}/act': (s) => ({ path: { s, t: tab }, body: { kind: 'press', key: 'Tab' } }),
  'post /api/v1/sessions/{s}/tabs/{t}/steps': (s) => ({ path: { s, t: tab }, body: { step: 'press [Tab]' } }),
  'post /api/v1/sessions/{s}/tabs/{t}/pdf': (s) => ({ path: { s, t: tab }, body: { paper: 'a5' } }),
  'get /api/v1/sessions/{s}/tabs/{t}/snapshot': (s) => ({ path: { s, t: tab }, query: 'refs=1&interactive=1' }),
  'get /api/v1/sessions/{s}/tabs/{t}/screenshot': (s) => ({ path: { s, t: tab }, query: 'format=jpeg&quality=10' }),
  'get /api/v1/sessions/{s}/tabs/{t}/console': (s) => ({ path: { s, t: tab }, query: 'level=error&limit=5' }),
  'get /api/v1/sessions/{s}/tabs/{t}/errors': (s) => ({ path: { s, t: tab }, query: 'since=0' }),
  'get /api/v1/sessions/{s}/tabs/{t}/requests': (s) => ({ path: { s, t: tab }, query: 'details=1' }),
  'get /api/v1/sessions/{s}/tabs/{t}/requests/{r}': async (s) => ({ path: { s, t: 't1', r: await requestId(s) } }),
  'get /api/v1/sessions/{s}/tabs/{t}/requests/{r}/body': async (s) => ({ path: { s, t: 't1', r: await requestId(s) } }),
  'get /api/v1/sessions/{s}/tabs/{t}/har': (s) => ({ path: { s, t: 't1' } }),
  'delete /api/v1/sessions/{s}/tabs/{t}/console': (s) => ({ path: { s, t: tab } }),
  'delete /api/v1/sessions/{s}/tabs/{t}/errors': (s) => ({ path: { s, t: tab } }),
  'delete /api/v1/sessions/{s}/tabs/{t}/requests': (s) => ({ path: { s, t: 't1' } }),
  'get /api/v1/sessions/{s}/tabs/{t}/cookies': (s) => ({ path: { s, t: 't1' } }),
  'put /api/v1/sessions/{s}/tabs/{t}/cookies': (s) => ({
    path: { s, t: 't1' },
    body: { cookies: [{ name: 'a', value: 'b', sameSite: 'Lax' }] },
  }),
  'delete /api/v1/sessions/{s}/tabs/{t}/cookies': (s) => ({ path: { s, t: 't1' }, query: 'name=a' }),
  'get /api/v1/sessions/{s}/tabs/{t}/storage/local': (s) => ({ path: { s, t: 't1' } }),
  'put /api/v1/sessions/{s}/tabs/{t}/storage/local': (s) => ({ path: { s, t: 't1' }, body: { values: { a: 'b' } } }),
  'delete /api/v1/sessions/{s}/tabs/{t}/storage/local': (s) => ({ path: { s, t: 't1' }, query: 'key=a' }),
  'get /api/v1/sessions/{s}/tabs/{t}/storage/session': (s) => ({ path: { s, t: 't1' } }),
  'put /api/v1/sessions/{s}/tabs/{t}/storage/session': (s) => ({ path: { s, t: 't1' }, body: { values: { a: 'b' } } }),
  'delete /api/v1/sessions/{s}/tabs/{t}/storage/session': (s) => ({ path: { s, t: 't1' } }),
  'get /api/v1/sessions/{s}/tabs/{t}/emulation': (s) => ({ path: { s, t: 't1' } }),
  'put /api/v1/sessions/{s}/tabs/{t}/emulation': (s) => ({
    path: { s, t: 't1' },
    query: 'scope=tab',
    body: { timezone: 'Europe/London', media: { colorScheme: 'dark' } },
  }),
  'delete /api/v1/sessions/{s}/tabs/{t}/emulation': (s) => ({ path: { s, t: 't1' } }),
  'get /api/v1/sessions/{s}/tabs/{t}/trace': (s) => ({ path: { s, t: 't1' } }),
  'post /api/v1/sessions/{s}/tabs/{t}/trace/start': async (s) => {
    await server.act(s, { kind: 'trace', do: 'stop' });
    return { path: { s, t: 't1' }, body: { screenshots: false, maxMs: 60_000 } };
  },
  'post /api/v1/sessions/{s}/tabs/{t}/trace/stop': async (s) => {
    await server.act(s, { kind: 'trace', do: 'start' });
    return { path: { s, t: 't1' }, body: { gzip: true } };
  },
  'get /api/v1/sessions/{s}/tabs/{t}/control': (s) => ({ path: { s, t: tab } }),
  'post /api/v1/sessions/{s}/tabs/{t}/control': (s) => ({
    path: { s, t: tab },
    body: { do: 'take', scope: 'session' },
  }),
  'get /api/v1/sessions/{s}/tabs/{t}/control/wait': (s) => ({ path: { s, t: tab }, query: 'timeoutMs=100' }),
  'get /api/v1/sessions/{s}/timeline': (s) => ({ path: { s }, query: 'limit=3' }),
  'get /api/v1/timeline/key': () => ({}),
  'get /api/v1/sessions/{s}/timeline/{id}/picture': async (s) => ({ path: { s, id: await picturedRow(s) } }),
  'get /api/v1/sessions/{s}/files': (s) => ({ path: { s } }),
  'put /api/v1/sessions/{s}/files/{name}': (s) => ({
    path: { s, name: `${Math.random()}.txt` },
    body: { any: 'content' },
  }),
  'get /api/v1/sessions/{s}/files/{name}': async (s) => ({ path: { s, name: await fileName(s) } }),
  'delete /api/v1/sessions/{s}/files/{name}': async (s) => ({ path: { s, name: await fileName(s) } }),
  'get /api/v1/sessions/{s}/downloads': (s) => ({ path: { s } }),
  'delete /api/v1/sessions/{s}/downloads/{id}': async (s) => ({ path: { s, id: await downloadId(s) } }),
  'get /api/v1/browsers': () => ({}),
  'get /api/v1/browsers/detect': () => ({}),
  'post /api/v1/browsers': () => ({ body: { launch: {} } }),
  'delete /api/v1/browsers/{id}': async () => ({
    path: { id: idOf(await server.api('POST', '/api/v1/browsers', { launch: {} })) },
  }),
  'delete /api/v1/members/{id}': async () => ({
    path: { id: (await signedInPerson(server, 'viewer')).id },
    person: true,
  }),
  'delete /api/v1/members/{id}/second-factor': async () => ({ path: { id: (await addressed()).id }, person: true }),
  'post /api/v1/members/{id}/password-link': async () => ({ path: { id: (await addressed()).id }, person: true }),
  'get /api/v1/sign-in/oidc': () => ({ query: 'to=/account' }),
  'post /api/v1/sign-in/oidc': () => ({ body: { to: '/account' } }),
  'get /api/v1/sign-in/oidc/callback': () => ({ query: 'state=none&code=none' }),
  'post /api/v1/sign-in/forgotten': () => ({ body: { email: 'nobody@example.com' } }),
  'post /api/v1/sign-in/new-password': async () => ({
    body: { token: await passwordToken(), password: 'a long password' },
  }),
  'get /api/v1/account/sign-ins': () => ({ person: true }),
  'delete /api/v1/account/sign-ins': () => ({ person: true }),
  'delete /api/v1/account/sign-ins/{id}': async () => ({ path: { id: await anotherSignIn() }, person: true }),
  'get /api/v1/keys': () => ({}),
  'post /api/v1/keys': () => ({ body: { name: 'contract', grants: ['watch'] } }),
  'patch /api/v1/keys/{id}': async () => ({
    path: { id: idOf(await server.api('POST', '/api/v1/keys', { name: 'changed' })) },
    body: { name: 'renamed', grants: ['watch'], sessions: 'own', expiresIn: 600 },
  }),
  'post /api/v1/keys/{id}/rotate': async () => ({
    path: { id: idOf(await server.api('POST', '/api/v1/keys', { name: 'rotated' })) },
  }),
  'delete /api/v1/keys/{id}': async () => ({
    path: { id: idOf(await server.api('POST', '/api/v1/keys', { name: 'short-lived' })) },
  }),
  'get /api/v1/invitations': () => ({}),
  'post /api/v1/invitations': () => ({ body: { role: 'viewer', email: 'ada@example.com', expiresIn: 3_600 } }),
  'patch /api/v1/invitations/{id}': async () => ({ path: { id: await anInvitation() }, body: { role: 'member' } }),
  'delete /api/v1/invitations/{id}': async () => ({ path: { id: await invited() } }),
  'get /api/v1/sessions/{s}/comments': (s) => ({ path: { s }, query: 'open=1&tab=t1&before=9&limit=2' }),
  'post /api/v1/sessions/{s}/comments/{id}/resolve': async (s) => ({ path: { s, id: await aComment(s) }, body: {} }),
  'post /api/v1/sessions/{s}/comments/{id}/pass': async (s) => ({
    path: { s, id: await aComment(s) },
    body: {},
    person: true,
  }),
  'get /api/v1/sessions/{s}/tabs/{t}/comments': (s) => ({ path: { s, t: 't1' }, query: 'open=1' }),
  'post /api/v1/sessions/{s}/tabs/{t}/comments': (s) => ({ path: { s, t: 't1' }, body: { text: 'Look here' } }),
  'post /api/v1/sessions/{s}/tabs/{t}/comments/{id}/resolve': async (s) => ({
    path: { s, t: 't1', id: await aComment(s) },
    body: {},
  }),
  'post /api/v1/sessions/{s}/tabs/{t}/comments/{id}/pass': async (s) => ({
    path: { s, t: 't1', id: await aComment(s) },
    body: {},
    person: true,
  }),
  'get /api/v1/sessions/{s}/links': (s) => ({ path: { s } }),
  'post /api/v1/sessions/{s}/links': (s) => ({
    path: { s },
    body: { grants: ['drive'], expiresIn: 600, maxViewers: 3 },
  }),
  'patch /api/v1/sessions/{s}/links/{id}': async (s) => ({
    path: { s, id: (await aLink(s)).id },
    body: { grants: ['watch', 'files'], maxViewers: null },
  }),
  'delete /api/v1/sessions/{s}/links/{id}': async (s) => ({ path: { s, id: (await aLink(s)).id } }),
  'post /api/v1/links/{id}/open': async () => {
    const { id, secret } = await aLink(session);
    return { path: { id }, body: { secret, name: 'Mia' } };
  },
  'get /api/v1/sign-in': () => ({}),
  'post /api/v1/sign-in/password': async () => {
    const email = `${Math.random()}@example.com`;
    const { access, store } = server.running.services;
    const { id } = await signedInPerson(server, 'viewer');
    await store.people.setEmail(id, email, new Date());
    await access.accounts.setPassword(id, 'a good password');
    return { body: { email, password: 'a good password' } };
  },
  'post /api/v1/sign-in/code': () => ({ body: { code: '123456' } }),
  'post /api/v1/sign-in/recovery': () => ({ body: { code: 'none' } }),
  'get /api/v1/account': () => ({}),
  'patch /api/v1/account': () => ({ body: { name: 'Ada' } }),
  'put /api/v1/account/password': () => ({ body: { password: 'a good password' } }),
  'post /api/v1/account/second-factor': () => ({ body: {} }),
  'post /api/v1/account/second-factor/confirm': () => ({ body: { code: '123456' } }),
  'delete /api/v1/account/second-factor': () => ({ body: {} }),
  'delete /api/v1/account/provider': () => ({ body: {} }),
  'post /api/v1/account/recovery-codes': () => ({ body: {} }),
  'get /api/v1/members': () => ({}),
  'get /api/v1/workspaces': () => ({}),
  'delete /api/v1/workspace': () => ({}),
  'post /api/v1/workspaces': () => ({ body: { name: 'Second' } }),
  'get /api/v1/workspace': () => ({}),
  'post /api/v1/workspace/guard/check': () => ({ body: { url: 'http://127.0.0.1:9/', egress: null } }),
  'patch /api/v1/workspace': () => ({ body: { name: 'Home', policy: { egress: null } } }),
  'get /api/v1/sessions/{s}/guard/check': (s) => ({ path: { s }, query: 'url=http://127.0.0.1:9/' }),
  'patch /api/v1/members/{id}': () => ({ path: { id: 'p_none' }, body: { role: 'member', from: 'viewer' } }),
  'get /api/v1/sessions/{s}/access': (s) => ({ path: { s } }),
  'patch /api/v1/sessions/{s}/access': (s) => ({ path: { s }, body: { open: 'named', watchOnly: true, roles: {} } }),
  'get /api/v1/sessions/{s}/policy': (s) => ({ path: { s } }),
  'patch /api/v1/sessions/{s}/policy': (s) => ({
    path: { s },
    body: { egress: { kind: 'listed', sites: ['*.example.com'] } },
  }),
  'get /api/v1/account/passkeys': () => ({}),
  'post /api/v1/account/passkeys/options': () => ({ body: {} }),
  'post /api/v1/account/passkeys': () => ({ body: { name: 'Key', response: PASSKEY } }),
  'delete /api/v1/account/passkeys/{id}': () => ({ path: { id: 'none' }, body: {} }),
  'post /api/v1/sign-in/passkey/options': () => ({ body: {} }),
  'post /api/v1/sign-in/passkey': () => ({ body: { response: PASSKEY } }),
  'get /api/v1/demo': () => ({}),
  'post /api/v1/demo': () => ({ body: {} }),
  'delete /api/v1/demo': () => ({}),
};

/**
 * Operations that a key may not use at all, or not in this state: their answer differs from the good one, but is
 * documented too.
 */
const REFUSED: Readonly<Record<string, number>> = {
  'post /api/v1/sign-in/code': 401,
  'post /api/v1/sign-in/recovery': 401,
  'get /api/v1/account': 403,
  'patch /api/v1/account': 403,
  'put /api/v1/account/password': 403,
  'post /api/v1/account/second-factor': 403,
  'post /api/v1/account/second-factor/confirm': 403,
  'delete /api/v1/account/second-factor': 403,
  'delete /api/v1/account/provider': 403,
  'post /api/v1/account/recovery-codes': 403,
  'get /api/v1/account/passkeys': 403,
  'post /api/v1/account/passkeys/options': 403,
  'post /api/v1/account/passkeys': 403,
  'delete /api/v1/account/passkeys/{id}': 403,
  // At an IP address.
  'post /api/v1/sign-in/passkey/options': 400,
  'post /api/v1/sign-in/passkey': 401,
  // Nobody has codes there.
  'delete /api/v1/members/{id}/second-factor': 409,
  'post /api/v1/demo': 403,
  'patch /api/v1/members/{id}': 403,
  'post /api/v1/workspaces': 403,
  'delete /api/v1/workspace': 403,
  'get /api/v1/sign-in/oidc': 302,
  'post /api/v1/sign-in/oidc': 400,
  'get /api/v1/sign-in/oidc/callback': 302,
  'post /api/v1/sessions/{s}/browser': 409,
  'post /api/v1/sessions/{s}/pause': 403,
  'patch /api/v1/sessions/{s}/policy': 403,
  'post /api/v1/sessions/{s}/resume': 403,
};

async function fileName(s: string): Promise<string> {
  const name = `${Math.random()}.txt`;
  await server.api('PUT', `/api/v1/sessions/${s}/files/${name}`, { any: 'content' });
  return name;
}

/** A row of the timeline that has the picture of its moment. */
async function picturedRow(s: string): Promise<string> {
  const rows = z.array(z.object({ id: z.string(), picture: z.object({}).optional() }));
  const found = async (): Promise<string | undefined> =>
    rows
      .parse((await server.api('GET', `/api/v1/sessions/${s}/timeline`)).body)
      .findLast(({ picture }) => picture !== undefined)?.id;
  await server.act(s, { kind: 'click', role: 'button', name: 'One' });
  await expect.poll(found, { timeout: 15_000 }).toBeDefined();
  return (await found()) ?? '';
}

async function downloadId(s: string): Promise<string> {
  await server.act(s, {
    kind: 'evaluate',
    fn: `() => { const link = document.createElement('a'); link.href = URL.createObjectURL(new Blob(['x'])); link.download = 'x.txt'; link.click(); }`,
  });
  for (;;) {
    const [first] = z
      .array(z.object({ id: z.string() }))
      .parse((await server.api('GET', `/api/v1/sessions/${s}/downloads`)).body);
    if (first) return first.id;
  }
}

async function requestId(s: string): Promise<string> {
  await server.act(s, { kind: 'evaluate', fn: '() => fetch("/").then((answer) => answer.text())' });
  for (;;) {
    const { items } = z
      .object({ items: z.array(z.object({ id: z.int() })) })
      .parse((await server.api('GET', `/api/v1/sessions/${s}/tabs/t1/requests?filter=/`)).body);
    const last = items.at(-1);
    if (last) return String(last.id);
  }
}

const keyOf = ({ method, path }: { method: string; path: string }): string =>
  `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`;
const PEOPLE_ONLY = new Set(ROUTES.filter(({ peopleOnly }) => peopleOnly !== undefined).map(keyOf));
const PUBLIC = new Set(PUBLIC_ROUTES.map(keyOf));

const operations = (): { key: string; method: string; template: string; operation: Operation }[] =>
  Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      key: `${method} ${template}`,
      method: method.toUpperCase(),
      template,
      operation,
    })),
  );

function addressOf(template: string, { path = {}, query = '' }: Sent): string {
  const address = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  return query === '' ? address : `${address}?${query}`;
}

/** Throws if an answer is wrong: an undocumented status or form, or a fault of the server. */
function checkAnswer(key: string, operation: Operation, { status, body, headers }: ApiAnswer): void {
  const allowed = operation.responses[String(status)];
  if (!allowed || status >= 500)
    expect.fail(`${key} answered ${status}, which is not in the document: ${JSON.stringify(body).slice(0, 500)}`);
  const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
  const media = Object.entries(allowed.content).find(
    ([range]) => range === type || range === `${type.split('/')[0] ?? ''}/*`,
  );
  if (!media) expect.fail(`${key} answered ${status} as ${type}, which is not in the document`);
  const { schema } = media[1];
  if (schema === undefined) return;
  const result = parserOf(schema).safeParse(body);
  if (!result.success)
    expect.fail(
      `${key} answered ${status} in a form that the document does not know: ${z.prettifyError(result.error)}\n${JSON.stringify(body).slice(0, 800)}`,
    );
}

const parsers = new Map<string, z.ZodType>();

/** The parser for a schema of the document; most operations share theirs, such as that of errors. */
function parserOf(schema: Record<string, unknown>): z.ZodType {
  const name = JSON.stringify(schema);
  const parser = parsers.get(name) ?? z.fromJSONSchema(rooted(schema));
  parsers.set(name, parser);
  return parser;
}

/** A schema of the document that stands alone: named ones as its own definitions. */
function rooted(schema: Record<string, unknown>): Record<string, unknown> {
  definitions ??= referring(document.components.schemas);
  return { ...referring(schema), $defs: definitions };
}

/** The named schemas of the document, for all that refer to them. */
let definitions: Record<string, unknown> | undefined;

const referring = (schema: Record<string, unknown>): Record<string, unknown> =>
  jsonSchema.parse(JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/')));

const send = (method: string, address: string, body: unknown, headers?: Record<string, string>): Promise<ApiAnswer> =>
  server.api(method, address, method === 'GET' ? undefined : body, headers);

/** The same by the signed-in owner. */
async function byPerson(method: string, address: string, body: unknown): Promise<ApiAnswer> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { cookie, origin: server.origin, 'content-type': 'application/json' };
  const answer = await fetch(`${server.origin}${address}`, { method, headers, ...sent });
  return { status: answer.status, body: await answer.json(), headers: answer.headers };
}

describe('the document', () => {
  it('[DO1] has every route, and the test a good request for each', () => {
    const listed = operations().map(({ key }) => key);
    expect(listed.toSorted()).toEqual([...ROUTES, ...PUBLIC_ROUTES].map(keyOf).toSorted());
    expect(Object.keys(GOOD).toSorted()).toEqual(listed.toSorted());
  });

  it('[DO1] gives every operation a unique name, describes all its input, and has no dangling reference', () => {
    const names = operations().map(({ operation }) => operation.operationId);
    const text = JSON.stringify(document);
    const refs = [...text.matchAll(/"#\/([^"]+)"/g)].map(([, ref = '']) => ref.replace('components/schemas/', ''));

    expect(new Set(names).size).toBe(names.length);
    expect(refs.filter((ref) => !Object.hasOwn(document.components.schemas, ref))).toEqual([]);
    expect(
      operations().filter(({ template, operation }) =>
        [...template.matchAll(/\{(\w+)\}/g)].some(
          ([, name]) => !operation.parameters.some((one) => one.in === 'path' && one.name === name),
        ),
      ),
    ).toEqual([]);
  });
});

describe('every route', () => {
  it('[DO1] answers a good request as documented', async () => {
    for (const { key, method, template, operation } of operations()) {
      const sent = await GOOD[key]?.(session);
      const by = sent?.person === true ? byPerson : send;
      const answer = await by(method, addressOf(template, sent ?? {}), sent?.body);
      checkAnswer(key, operation, answer);
      const wanted = REFUSED[key] ?? Number(Object.keys(operation.responses).find((status) => status.startsWith('2')));
      expect(`${key} ${answer.status} ${answer.status === wanted ? '' : JSON.stringify(answer.body)}`).toBe(
        `${key} ${wanted} `,
      );
      if (key === 'post /api/v1/sessions') await server.api('DELETE', `/api/v1/sessions/${idOf(answer)}`);
      if (key === 'post /api/v1/browsers') await server.api('DELETE', `/api/v1/browsers/${idOf(answer)}`);
    }
  }, 120_000);

  it('[AU6] reveals nothing to a stranger, and checks methods, media type and limits', async () => {
    for (const { key, method, template, operation } of operations()) {
      const address = addressOf(template, { path: { s: session, t: tab, r: '1', id: 'none', name: 'none.txt' } });
      if (!PUBLIC.has(key)) {
        const stranger = await send(method, address, {}, { authorization: '' });
        expect(`${key} ${stranger.status}`).toMatch(/ 40[13]$/);
        checkAnswer(key, operation, stranger);
      }
      const other =
        ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].find(
          (one) => !Object.hasOwn(document.paths[template] ?? {}, one.toLowerCase()),
        ) ?? 'PURGE';
      const wrong = await send(other, address, {});
      expect(`${key} as ${other}: ${wrong.status} ${wrong.headers.get('allow')?.includes(method)}`).toBe(
        `${key} as ${other}: 405 true`,
      );
      if (method === 'GET' || TAKES_ANYTHING.has(key)) continue;
      const form = await send(method, address, 'a=b', { 'content-type': 'application/x-www-form-urlencoded' });
      const huge = await send(method, address, { pad: 'x'.repeat(1_100_000) });
      // A key is refused before its body is read, where only people may call.
      const wanted = PEOPLE_ONLY.has(key) ? '403 403' : '400 413';
      expect(`${key} ${form.status} ${huge.status}`).toBe(`${key} ${wanted}`);
      checkAnswer(key, operation, form);
      checkAnswer(key, operation, huge);
    }
  }, 120_000);

  it('[AC8] answers any other request as documented, and never by a fault of the server', async () => {
    const wrong = fc.oneof(
      fc.constantFrom<unknown>(
        null,
        true,
        -1,
        1.5,
        1e99,
        '',
        'x'.repeat(5_000),
        '\u0000\ud800',
        [],
        [[]],
        {},
        { kind: 'none' },
        { $ref: '#' },
      ),
      fc.jsonValue({ maxDepth: 3 }),
    );
    const mutation = fc.record({
      at: fc.nat(20),
      value: wrong,
      way: fc.constantFrom('replace', 'drop', 'add', 'whole'),
      name: fc.constantFrom('__proto__', 'constructor', 'x', ''),
    });
    const pathText = fc.constantFrom('%00', 'none', 'x'.repeat(300), '中文', 't1');
    const queryText = fc.tuple(
      fc.constantFrom('since', 'limit', 'level', 'format', 'timeoutMs', 'x', 'r', 'status'),
      fc.constantFrom('', '-1', 'x', '1e9', '%00', '999999999999', 'a'.repeat(600)),
    );
    for (const { key, method, template, operation } of operations()) {
      const good = key.startsWith('post /api/v1/browsers')
        ? { body: { cdpUrl: 5 } }
        : ((await GOOD[key]?.(session)) ?? {});
      await fc.assert(
        fc.asyncProperty(
          mutation,
          pathText,
          queryText,
          fc.boolean(),
          async (change, text, [name, value], elsewhere) => {
            const path =
              elsewhere || DESTRUCTIVE.has(key)
                ? Object.fromEntries(Object.keys(good.path ?? {}).map((field) => [field, decodeURIComponent(text)]))
                : good.path;
            const answer = await send(
              method,
              addressOf(template, { ...(path ? { path } : {}), query: `${name}=${value}` }),
              mutated(good.body, change),
            );
            if (answer.status !== 404 || elsewhere) return checkAnswer(key, operation, answer);
          },
        ),
        { numRuns: sized(3, 8) },
      );
    }
    const metrics = await fetch(`${server.origin}/metrics`, { headers: { authorization: `Bearer ${TEST_KEY}` } });
    expect(/^wheelhouse_faults_total(?:\{[^}]*\})? [1-9]/m.exec(await metrics.text())?.[0]).toBeUndefined();
  }, 240_000);
});

/** Its body is a file: of any type, and larger than other bodies. */
const TAKES_ANYTHING = new Set(['put /api/v1/sessions/{s}/files/{name}']);

/** Not to be done to the session that the test stands on. */
const DESTRUCTIVE = new Set([
  'delete /api/v1/sessions/{s}',
  'delete /api/v1/sessions/{s}/tabs/{t}',
  'delete /api/v1/keys/{id}',
  'delete /api/v1/invitations/{id}',
  'delete /api/v1/browsers/{id}',
]);

interface Change {
  readonly at: number;
  readonly value: unknown;
  readonly way: 'replace' | 'drop' | 'add' | 'whole';
  readonly name: string;
}

function mutated(body: unknown, { at, value, way, name }: Change): unknown {
  if (way === 'whole' || typeof body !== 'object' || body === null) return value === undefined ? null : value;
  const entries: [string, unknown][] = Object.entries(body);
  const [field = 'x'] = entries[at % Math.max(1, entries.length)] ?? [];
  const kept = entries.filter(([key]) => key !== field);
  if (way === 'add') return Object.fromEntries([...entries, [name, value]]);
  return Object.fromEntries(way === 'drop' ? kept : [...kept, [field, value]]);
}
