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

/** A person with an address and a password. */
async function account(name: string): Promise<{ id: string; email: string; password: string }> {
  const { access, store } = server.running.services;
  const { id } = await signedInPerson(server, 'member', name);
  const [email, password] = [`${name.toLowerCase()}-${id.slice(2)}@example.com`, `the password of ${name}`];
  await store.people.setEmail(id, email, new Date());
  await access.accounts.setPassword(id, password);
  return { id, email: email.toLowerCase(), password };
}

/** A browser: it keeps cookies and sends its origin. */
class Page {
  readonly #jar = new Map<string, string>();

  constructor(readonly origin: string = server.origin) {}

  get cookie(): string {
    return [...this.#jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  get cookieNames(): string[] {
    return [...this.#jar.keys()].toSorted();
  }

  async send(method: string, route: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(`${this.origin}/api/v1${route}`, {
      method,
      headers: { origin: this.origin, cookie: this.cookie, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const one of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
      if (/max-age=0/i.test(one) || value === '') this.#jar.delete(name);
      else this.#jar.set(name, value);
    }
    const parsed: unknown = await response.json();
    return { status: response.status, body: parsed };
  }
}

const cookies = (...kinds: string[]): string[] => kinds.map((kind) => `${kind}_${new URL(server.origin).port}`);

describe('passwords', () => {
  it('[AU2] a password signs in; what better-auth keeps for it ends with the call', async () => {
    const { email, password } = await account('Grace');
    const page = new Page();
    const answer = await page.send('POST', '/sign-in/password', { email: email.toUpperCase(), password });

    expect(answer).toEqual({ status: 200, body: { signedIn: true } });
    expect(page.cookieNames).toEqual(cookies('wh', 'wh_known'));
    expect((await page.send('GET', '/sessions')).status).toBe(200);
    expect(server.running.services.access.accounts.pending).toBe(0);
  });

  it('[T15] an unknown address, an account without a password and a wrong password are refused alike, after one hash each', async () => {
    const { email } = await account('Alan');
    const { id } = await signedInPerson(server, 'member', 'Barbara');
    await server.running.services.store.people.setEmail(id, 'barbara@example.com', new Date());
    const { accounts } = server.running.services.access;
    const tries = [email, 'barbara@example.com', 'nobody@example.com'];
    const seen: unknown[] = [];
    for (const tried of tries) {
      const before = accounts.hashes;
      const answer = await new Page().send('POST', '/sign-in/password', { email: tried, password: 'a wrong one' });
      seen.push({ answer, hashes: accounts.hashes - before });
    }

    expect(seen[0]).toEqual({
      answer: {
        status: 401,
        body: {
          error: expect.objectContaining({ code: 'UNAUTHENTICATED', message: expect.stringContaining('wrong') }),
        },
      },
      hashes: 1,
    });
    expect(seen).toEqual(tries.map(() => seen[0]));
  });

  it('[T15] ten guesses reach the check; a browser that is known, and other accounts, still get in', async () => {
    const { email, password } = await account('Edsger');
    const [known, stranger] = [new Page(), new Page()];
    await known.send('POST', '/sign-in/password', { email, password });
    const { accounts } = server.running.services.access;
    const before = accounts.hashes;
    const codes = [];
    for (let guess = 0; guess < 12; guess += 1)
      codes.push((await stranger.send('POST', '/sign-in/password', { email, password: `guess ${guess}` })).status);

    expect(codes).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    expect(accounts.hashes - before).toBe(10);
    expect(await stranger.send('POST', '/sign-in/password', { email, password })).toMatchObject({ status: 429 });
    expect(await known.send('POST', '/sign-in/password', { email, password })).toMatchObject({ status: 200 });
    const other = await account('Donald');
    expect(await stranger.send('POST', '/sign-in/password', other)).toMatchObject({ status: 400 });
    const { email: address, password: right } = other;
    expect(await stranger.send('POST', '/sign-in/password', { email: address, password: right })).toMatchObject({
      status: 200,
    });
  });

  it("[T1] no page of another site signs a person in, and none of better-auth's own paths is there", async () => {
    const { email, password } = await account('Tony');
    const foreign = await new Page().send(
      'POST',
      '/sign-in/password',
      { email, password },
      { origin: 'https://evil.example' },
    );
    const paths = ['/auth/sign-in/email', '/auth/ok', '/sign-in/email', '/auth/get-session', '/auth/two-factor/enable'];
    const statuses = await Promise.all(
      paths.map(async (one) => (await new Page().send('POST', one, { email, password })).status),
    );

    expect(foreign.status).toBe(403);
    expect(statuses).toEqual(paths.map(() => 404));
  });
});

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
