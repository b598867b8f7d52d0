import { afterAll, beforeAll, expect, it } from 'vitest';
import { request } from 'node:http';
import { signedInPerson } from '@/server/testing/people';
import { startTestServer, TEST_KEY, type TestServer } from '@/server/testing/server';

const HOST = 'wheel.example.com';
let server: TestServer;
beforeAll(async () => {
  const env = { PUBLIC_URL: `https://${HOST}`, TRUSTED_HOPS: '1', CHROME_NO_SANDBOX: '1' };
  server = await startTestServer({ env });
});
afterAll(() => server.close());

interface Got {
  readonly status: number;
  readonly location: string | undefined;
  readonly cookie: string;
  readonly body: string;
}

/** As the proxy passes it on. */
function get(path: string, headers: Record<string, string> = {}, body?: unknown): Promise<Got> {
  const method = body === undefined ? 'GET' : 'POST';
  const typed = body === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    request(`${server.origin}${path}`, { method, headers: { host: HOST, ...typed, ...headers } }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.once('end', () => {
        const cookie = response.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
        resolve({ status: response.statusCode ?? 0, location: response.headers.location, cookie, body });
      });
    })
      .once('error', reject)
      .end(body === undefined ? undefined : JSON.stringify(body));
  });
}

it('[AU1] beyond loopback no page is served before the first owner, who comes by --link, has made their account', async () => {
  const { access } = server.running.services;
  const link = async (): Promise<string> => (await access.authentication.issueLink()).slice(`https://${HOST}`.length);
  for (const path of ['/', '/sign-in', '/invitation', '/account', '/settings/people'])
    expect(await get(path)).toMatchObject({ status: 503, body: expect.stringContaining('npm start -- --link') });
  expect(await get('/api/v1/sessions', { authorization: `Bearer ${TEST_KEY}` })).toMatchObject({ status: 200 });

  const { location, cookie } = await get(await link());
  expect(location).toBe('/settings/account?first');
  for (const path of ['/', '/account', '/settings/people'])
    expect(await get(path, { cookie })).toMatchObject({ status: 302, location: '/settings/account?first' });
  const own = `/w/${access.owner.workspace}/settings/account`;
  expect(await get('/settings/account?first', { cookie })).toMatchObject({ status: 302, location: `${own}?first` });
  // There are no pages on a test server.
  expect(await get(own, { cookie })).toMatchObject({ status: 404 });

  await access.accounts.setPassword(access.owner.id, 'a password of the owner');
  expect(await get('/sign-in')).toMatchObject({ status: 404 });
  expect(await get('/account', { cookie })).toMatchObject({ status: 302, location: own });
  expect(await get('/settings/people')).toMatchObject({
    status: 302,
    location: expect.stringMatching(/^\/sign-in\?to=/),
  });
  expect(await get(await link())).toMatchObject({ status: 302, location: '/' });
});

it('[BR3][AU3] beyond loopback only the owner of the server attaches a Chrome or asks for candidates, and keys of theirs', async () => {
  const { access } = server.running.services;
  // Nothing listens there: who is let in is told so.
  const attach = (headers: Record<string, string>) =>
    get('/api/v1/browsers', headers, { cdpUrl: 'http://127.0.0.1:9/' });
  const boss = await signedInPerson(server, 'owner');
  const rights = access.rights.ofPerson(boss.workspace, boss.id, '');
  const by = { kind: 'human', person: boss.id, workspace: boss.workspace, rights, expiresAt: undefined } as const;
  const { text } = await access.keys.create(by, { name: 'Bot', grants: ['watch', 'manage'], sessions: 'workspace' });
  const origin = `https://${HOST}`;
  const cookie = boss.headers.cookie.replace(/^[^=]*/, '__Host-wh');
  const admins: readonly Record<string, string>[] = [{ authorization: `Bearer ${text}` }, { cookie, origin }];
  for (const headers of admins) {
    expect(await attach(headers)).toMatchObject({ status: 403, body: expect.stringContaining('owner of this server') });
    expect(await get('/api/v1/browsers/detect', headers)).toMatchObject({ status: 403 });
  }
  const own = { authorization: `Bearer ${TEST_KEY}` };
  expect(await attach(own)).toMatchObject({ body: expect.stringContaining('BROWSER_DOWN') });
  expect(await get('/api/v1/browsers/detect', own)).toMatchObject({ status: 200 });
});
