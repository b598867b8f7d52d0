import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { ClientEvent } from '@/lib/protocol/catalog';
import { KEY_GRANTS } from '@/lib/rights/grants';
import { byOwner } from '@/server/access/keys';
import { eventOf, GOOD_BODIES, GOOD_QUERIES, goodPayloads, shortName } from '@/server/testing/good-requests';
import { signedInPerson } from '@/server/testing/people';
import { sized } from '@/server/testing/sized';
import { startTestServer, type TestServer } from '@/server/testing/server';
import { connectClient, emitTo, type Client } from '@/server/testing/socket-client';
import { PUBLIC_ROUTES, ROUTES } from './http/app';
import type { Route } from './http/route';

/**
 * Every id of one workspace, tried by the owner of another one and by a key of theirs at every place of every route and
 * event that takes an id (T6).
 */

/** Where an id of each kind belongs. */
const PLACES: Readonly<Record<string, string>> = {
  file: '/files/',
  row: '/timeline/',
  browser: '/browsers/',
  key: '/keys/',
  invitation: '/invitations/',
  person: '/members/',
  signIn: '/sign-ins/',
  link: '/links/',
  comment: '/comments/',
};

interface Caller {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether it is a key: routes for people refuse it before they look at any id. */
  readonly key: boolean;
}

let server: TestServer;
/** Of the first workspace, by what they name. */
let ids: Readonly<Record<string, string>>;
let callers: readonly Caller[];
let ownerCookie: string;
const clients: Client[] = [];

const idSchema = z.object({ id: z.string() });

beforeAll(async () => {
  server = await startTestServer({ env: { LIMITS: 'requests=10000' } });
  const { access, store } = server.running.services;
  const { workspace } = access.owner;
  ownerCookie = await server.signIn();
  const { id: session } = await server.session();
  const ada = await signedInPerson(server, 'member', 'Ada');
  const [signIn] = await store.signIns.list(ada.id, new Date());
  const post = async (path: string, body: object): Promise<string> =>
    idSchema.parse((await server.api('POST', `/api/v1${path}`, body)).body).id;
  await server.api('PUT', `/api/v1/sessions/${session}/files/secret.txt`, { any: 'content' });
  const [row] = await store.timeline.list(workspace, session, { limit: 1 });
  const browsers = z.array(idSchema).parse((await server.api('GET', '/api/v1/browsers')).body);
  ids = {
    ...{ workspace, session, file: 'secret.txt', tab: 't1', person: ada.id, signIn: signIn?.id ?? '' },
    ...{ row: row?.id ?? '', browser: browsers[0]?.id ?? '' },
    key: await post('/keys', { name: 'theirs', grants: ['watch'] }),
    invitation: await post('/invitations', { role: 'viewer' }),
    link: await post(`/sessions/${session}/links`, {}),
    comment: await post(`/sessions/${session}/tabs/t1/comments`, { text: 'Look here' }),
  };
  const other = await store.people.addWorkspace('Other', new Date());
  const owner = await signedInPerson(server, 'owner', 'Eve', other);
  const { text } = await access.keys.create(byOwner({ id: owner.id, workspace: other }), {
    name: 'eve',
    grants: KEY_GRANTS,
    sessions: 'workspace',
  });
  callers = [
    { name: 'the owner of another workspace', headers: { ...owner.headers }, key: false },
    { name: 'a key of another workspace', headers: { authorization: `Bearer ${text}` }, key: true },
  ];
});

afterAll(async () => {
  for (const client of clients) client.disconnect();
  await server.close();
});

/** The status, with the code of a refusal; and which ids of the first workspace the answer contains. */
async function sent(
  { headers }: Pick<Caller, 'headers'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ readonly is: string; readonly text: string }> {
  const answer = await fetch(`${server.origin}${path}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const code = /"code":"(\w+)"/.exec(text)?.[1];
  return { is: `${answer.status}${code === undefined ? '' : ` ${code}`}`, text };
}

/** Those ids that a stranger could not have guessed. */
const secretIds = (): string[] => Object.values(ids).filter((id) => id.length > 10);
/** An id of the same form that nothing has. */
const none = (id: string): string => (id.length > 10 ? `${id.slice(0, -6)}000000` : `no-${id}`);

/** The address with an id at each place; a tab and a request are named within a session. */
function filled(path: string, session: string, id: string): string {
  const at: Readonly<Record<string, string>> = { s: session, t: 't1', r: '1' };
  return path.replace(/:(\w+)/g, (_, part: string) => at[part] ?? encodeURIComponent(id));
}

/** The routes with ids, and which ids to try there: those that belong there, or in the whole size every one. */
function placed(): { route: Route; tries: [kind: string, id: string][] }[] {
  const all = Object.entries(ids);
  const ofSession = all.filter(([kind]) => kind === 'session');
  return ROUTES.filter(({ path }) => path.includes(':')).map((route) => {
    if (!/:(?![str]\b)/.test(route.path)) return { route, tries: ofSession };
    const fitting = all.filter(([kind]) => route.path.includes(PLACES[kind] ?? ' '));
    return { route, tries: sized(fitting.length > 0 ? fitting : ofSession, all) };
  });
}

/** The error of an answer; that of an action also says when it was. */
const errorIn = (text: string): string => text.slice(Math.max(0, text.indexOf('"error":')));

/** The first workspace as its owner sees it. */
async function ownView(): Promise<unknown> {
  const owner = { headers: { cookie: ownerCookie, origin: server.origin } };
  const session = `/api/v1/sessions/${ids['session'] ?? ''}`;
  const paths = ['/api/v1/keys', '/api/v1/invitations', '/api/v1/members', `${session}/files`, `${session}/access`];
  return Promise.all([...paths, `${session}/timeline`].map(async (path) => (await sent(owner, 'GET', path)).text));
}

it('[T6] every id of a workspace, at every place of every route, is answered to another one as an id of nothing, and nothing changes', async () => {
  const before = await ownView();
  const { session = '' } = ids;
  const problems: string[] = [];
  let calls = 0;
  const tried = async (caller: Caller, route: Route, kind: string, id: string): Promise<void> => {
    const { method, path, body } = route;
    const name = shortName(route);
    const good = [undefined, GOOD_BODIES[name], {}].find((one) => body.safeParse(one).success);
    const query = GOOD_QUERIES[name] ?? '';
    const [real, twin] = [filled(path, session, id) + query, filled(path, none(session), none(id)) + query];
    const [theirs, nobodys] = [await sent(caller, method, real, good), await sent(caller, method, twin, good)];
    calls += 1;
    const same =
      errorIn(theirs.text).replaceAll(session, none(session)).replaceAll(id, none(id)) === errorIn(nobodys.text);
    const told = secretIds().filter((secret) => !real.includes(secret) && theirs.text.includes(secret));
    const wanted = route.peopleOnly !== undefined && caller.key ? '403 FORBIDDEN' : '404 NOT_FOUND';
    if (theirs.is !== wanted || theirs.is !== nobodys.is || !same || told.length > 0)
      problems.push(`${caller.name}: ${name} with a ${kind}: ${theirs.text} beside ${nobodys.text}`);
  };
  for (const { route, tries } of placed())
    for (const caller of callers) await Promise.all(tries.map(([kind, id]) => tried(caller, route, kind, id)));

  expect(problems).toEqual([]);
  expect(calls).toBeGreaterThan(100);
  expect(await ownView()).toEqual(before);
  const own = { headers: { cookie: ownerCookie, origin: server.origin } };
  const found = ['key', 'invitation'].map(async (kind) => {
    const path = `/${kind}s/:id`;
    const good = GOOD_BODIES[`PATCH ${path}`];
    return (await sent(own, 'PATCH', filled(`/api/v1${path}`, session, ids[kind] ?? ''), good)).is;
  });
  expect(await Promise.all(found)).toEqual(['200', '200']);
}, 60_000);

it('[T6] no list and no answer of a route without an id contains an id of another workspace', async () => {
  const problems: string[] = [];
  const lists = [...ROUTES, ...PUBLIC_ROUTES].filter(({ method, path }) => method === 'GET' && !path.includes(':'));
  for (const { path } of lists)
    for (const caller of callers) {
      const { is, text } = await sent(caller, 'GET', path);
      const told = secretIds().filter((secret) => text.includes(secret));
      if (told.length > 0) problems.push(`${caller.name}: ${path}: ${is} ${told.join(' ')}`);
    }

  expect(problems).toEqual([]);
});

it('[T6] ids of another workspace in bodies and in the header are refused', async () => {
  const before = await ownView();
  const { session = '', browser = '', workspace = '' } = ids;
  const answers = await Promise.all(
    callers.flatMap((caller) => [
      sent(caller, 'POST', '/api/v1/keys', { name: 'wide', grants: ['watch'], sessions: [session] }),
      sent(caller, 'POST', '/api/v1/sessions', { browser }),
      sent({ headers: { ...caller.headers, 'x-workspace': workspace } }, 'GET', '/api/v1/sessions'),
      sent({ headers: { ...caller.headers, 'x-workspace': workspace } }, 'DELETE', `/api/v1/sessions/${session}`),
      sent(caller, 'GET', `/api/v1/sessions?workspace=${workspace}`),
    ]),
  );

  expect(answers.map(({ is }) => is)).toEqual(answers.map(() => '404 NOT_FOUND'));
  expect(await ownView()).toEqual(before);
});

it('[T6] no event reaches a session of another workspace, and nothing of it is pushed', async () => {
  const { session = '' } = ids;
  const [eve = { headers: {} }] = callers;
  const theirs = idSchema.parse(JSON.parse((await sent(eve, 'POST', '/api/v1/sessions', {})).text)).id;
  const marked: Promise<void>[] = [];
  const pushed: string[] = [];
  const answers = await Promise.all(
    callers.map(async (caller) => {
      const client = connectClient(server.origin, { headers: { ...caller.headers } });
      clients.push(client);
      await new Promise<void>((resolve, reject) => client.on('connect', resolve).on('connect_error', reject));
      marked.push(
        new Promise((resolve) => {
          client.onAny((event: string, payload: unknown) => {
            const text = JSON.stringify(payload);
            if (text.includes(session)) pushed.push(event);
            if (text.includes('The mark')) resolve();
          });
        }),
      );
      const ask = (event: ClientEvent, payload: object): Promise<string> =>
        new Promise((resolve) => emitTo(client, event, payload, (ack: unknown) => resolve(JSON.stringify(ack))));
      await ask('wall.watch', {});
      const acks = await Promise.all(
        Object.entries(goodPayloads(session)).map(async ([event, payload]) => [
          event,
          await ask(eventOf(event), payload),
        ]),
      );
      // One of the events was `wall.unwatch`.
      await ask('wall.watch', {});
      return acks;
    }),
  );
  await server.api('PATCH', `/api/v1/sessions/${session}`, { name: 'Renamed' });
  await server.act(session, { kind: 'press', key: 'Shift' });
  // When this later change of a session of their own has reached them, a push of the earlier ones would have, too.
  await sent(eve, 'PATCH', `/api/v1/sessions/${theirs}`, { name: 'The mark' });
  await Promise.all(marked);
  const told = answers.flat().filter(([event = '', answer = '']) => {
    const own =
      ['hello', 'wall.watch', 'wall.unwatch', 'stream.pin', 'stream.close'].includes(event) || LEAVING.test(event);
    return own ? answer.includes(session) : !answer.includes('"code":"NOT_FOUND"');
  });

  expect(told).toEqual([]);
  expect(pushed).toEqual([]);
});

/** Events that release something of the caller's own connection. */
const LEAVING = /leave$|unwatch$/;
