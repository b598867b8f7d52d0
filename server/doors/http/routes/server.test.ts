import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatMessage } from '@/lib/messages/format';
import { serverViewSchema } from '@/lib/protocol/server-view';
import { signedInPerson } from '@/server/testing/people';
import { startTestServer, TEST_KEY, type TestServer } from '@/server/testing/server';

/** A secret that the test can find in any text. */
const canary = (place: string): string => `canary-${place}-0123456789abcdef`;

let server: TestServer;
let owner: string;

beforeAll(async () => {
  server = await startTestServer({
    env: {
      SMTP_URL: `smtp://mailer:${canary('mail')}@127.0.0.1:9`,
      MAIL_FROM: 'wheel@example.com',
      WEBHOOK_URL: `https://hooks.example.com/${canary('hook-path')}`,
      WEBHOOK_SECRET: canary('hook'),
      SEARCH_URL: `https://search.example.com/?key=${canary('search')}&q=%s`,
    },
  });
  owner = await server.signIn();
  await server.running.services.store.people.addWorkspace('Second', new Date());
  await server.session();
});

afterAll(() => server.close());

const get = (route: string, headers: Record<string, string> = { cookie: owner, origin: server.origin }) =>
  fetch(`${server.origin}/api/v1${route}`, { headers });

/** All secrets that this server has in the environment, in its database and in its memory. */
async function secrets(): Promise<string[]> {
  const link = new URL(await server.running.services.access.authentication.issueLink());
  const { body } = await server.api('POST', '/api/v1/invitations', { role: 'viewer', email: 'ada@example.com' });
  const invitation = new URL(String(new Map(Object.entries(body ?? {})).get('url'))).hash.slice(1);
  const made = await server.api('POST', '/api/v1/keys', { name: 'bot', grants: ['watch'] });
  const key = String(new Map(Object.entries(made.body ?? {})).get('key'));
  const cookie = owner.split('=')[1] ?? '';
  return [TEST_KEY, link.searchParams.get('token') ?? '', invitation, key, cookie, 'canary-', 'mailer'];
}

describe('the server for its owner', () => {
  it('[AU3] is what it runs on, its workspaces with the Chromes of all of them, and its settings', async () => {
    const { access } = server.running.services;
    const view = serverViewSchema.parse(await (await get('/server')).json());
    expect(view).toMatchObject({
      ...{ version: expect.stringMatching(/^\d+\.\d+\.\d+/), node: process.version, trouble: null },
      ...{ addresses: expect.arrayContaining([server.origin]), beyondLoopback: false, tls: false },
      ...{ owner: { id: access.owner.id, name: 'Owner' }, oidc: null, passwordSignIn: true },
      mail: { server: '127.0.0.1:9', from: 'wheel@example.com' },
      workspaces: [
        { id: access.owner.workspace, name: 'Home', members: 1, sessions: 1 },
        { name: 'Second', members: 0, sessions: 0 },
      ],
      browsers: [{ workspace: access.owner.workspace, state: 'live' }],
      settings: {
        ...{ SMTP_URL: true, WEBHOOK_URL: true, SEARCH_URL: true, WHEELHOUSE_API_KEY: true, TLS_CERT: false },
        ...{ HOST: '127.0.0.1', PASSWORD_SIGN_IN: 'true' },
      },
    });
    expect(view.warningsSaid).toContainEqual({ code: 'privateOpen' });
    expect(view.warningsSaid.map((said) => said && formatMessage(said).text)).toEqual(view.warnings);
    expect(view.disk.databaseBytes).toBeGreaterThan(0);
    expect(JSON.stringify(view)).not.toContain('canary-');
  });

  it('[AU3] is closed to admins and owners of workspaces, and to their keys', async () => {
    for (const role of ['admin', 'owner'] as const) {
      const { headers } = await signedInPerson(server, role);
      const made = await fetch(`${server.origin}/api/v1/keys`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ name: `bot of ${role}`, grants: ['watch', 'manage'] }),
      });
      const { key } = await made.json();
      for (const route of ['/server', '/server/bundle'])
        expect([
          (await get(route, headers)).status,
          (await get(route, { authorization: `Bearer ${key}` })).status,
        ]).toEqual([403, 403]);
    }
  });

  it('[AU3][T14] the file for a bug report has errors and figures, no secret, no name and no address', async () => {
    const { logger, store, access } = server.running.services;
    const hidden = await secrets();
    await store.people.setName(access.owner.id, 'Ada Lovelace', new Date());
    logger.error(
      {
        error: new Error(`could not call https://x:${canary('userinfo')}@example.com/?token=${canary('query')}`),
        ...{ url: 'https://private.example.com/path', participant: 'p_1', reason: `Bearer ${canary('bearer')}` },
      },
      'a request failed by a fault of ours',
    );
    const places = `grace@mail.example.com at http://host.private.example:81/x (10.1.2.3) for ${server.dataDir}/files`;
    logger.warn({ reason: `"${places}"` }, 'a mail could not be sent');
    const answer = await get('/server/bundle');
    const text = await answer.text();
    expect(answer.headers.get('content-disposition')).toContain('wheelhouse-diagnostics.json');
    expect(JSON.parse(text)).toMatchObject({
      ...{
        node: process.version,
        workspaces: [{ members: expect.any(Number) }, { members: 0 }],
        sessions: [{ tabs: 1 }],
      },
      lines: expect.arrayContaining([
        expect.objectContaining({ level: 'error', message: 'a request failed by a fault of ours' }),
      ]),
    });
    expect(text).toContain('\\"…@… at http://… (…) for DATA_DIR/files\\"');
    const names = [
      'Lovelace',
      'grace@',
      '10.1.2.3',
      'private.example',
      'p_1',
      'ada@example',
      access.owner.id,
      server.origin,
      server.dataDir,
    ];
    expect([...hidden, ...names].filter((one) => one === '' || text.includes(one))).toEqual([]);
  });
});
