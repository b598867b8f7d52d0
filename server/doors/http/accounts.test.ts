import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedTestServer, type TestServer } from '@/server/testing/server';
import { signedInPerson } from '@/server/testing/people';

/** Accounts at the HTTP door (AU2, T15). */
let server: TestServer;

beforeAll(async () => {
  server = await sharedTestServer();
});

afterAll(() => server.close());

const localhost = (): string => server.origin.replace('127.0.0.1', 'localhost');

describe('signing in', () => {
  it('[AU2] a stranger is told the ways to sign in, and why passkeys do not work at an IP address', async () => {
    const ways = async (origin: string): Promise<unknown> => (await fetch(`${origin}/api/v1/sign-in`)).json();
    const now = expect.stringMatching(/^\d{4}-.*Z$/);

    expect(await ways(localhost())).toEqual({ password: true, passkey: { available: true }, now });
    expect(await ways(server.origin)).toEqual({
      ...{ password: true, now },
      passkey: { available: false, reason: 'ip-address' },
    });
  });

  it('[AU2] whoever has proved who they are gets a sign-in of their own, and a browser that is known', async () => {
    const { access, store } = server.running.services;
    const { id } = await signedInPerson(server, 'member', 'Ada');
    const headers = { host: new URL(server.origin).host, 'user-agent': 'A browser' };
    const { setCookies, principal } = await access.signIn.admitPerson(id, 'password', {
      headers,
      address: '203.0.113.7',
    });
    const cookie = setCookies.map((one) => one.split(';')[0]).join('; ');
    const listed = await store.logins.list(id, new Date());

    expect(principal).toMatchObject({ kind: 'human', person: id, workspace: access.owner.workspace });
    expect(listed.find((login) => login.id === principal.credential.id)).toMatchObject({
      ...{ factor: 'password', address: '203.0.113.7', agent: 'A browser' },
    });
    expect((await fetch(`${server.origin}/api/v1/sessions`, { headers: { cookie } })).status).toBe(200);
    expect(await access.signIn.knownBrowser(id, { ...headers, cookie })).toMatch(/^[0-9a-f]{64}$/);
    expect(await access.signIn.knownBrowser(access.owner.id, { ...headers, cookie })).toBeUndefined();
    expect(await access.signIn.knownBrowser(id, headers)).toBeUndefined();
  });

  it('[AU2] nobody is signed in who is in no workspace any more', async () => {
    const { access, store } = server.running.services;
    const { id, workspace } = await signedInPerson(server, 'member', 'Gone');
    await store.people.setRole(workspace, id, undefined, new Date());
    access.rights.apply({ kind: 'member', workspace, person: id, role: undefined });

    await expect(
      access.signIn.admitPerson(id, 'password', { headers: { host: new URL(server.origin).host }, address: '' }),
    ).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});
