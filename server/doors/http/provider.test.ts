import { sql } from 'kysely';
import { get } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { memberOf } from '@/server/access/principal';
import { startOidcProvider, type TestProvider } from '@/server/testing/oidc-provider';
import { PageClient } from '@/server/testing/page-client';
import { signedInPerson } from '@/server/testing/people';
import { startTestServer, type TestServer } from '@/server/testing/server';

/** Signing in by a provider, from the button to the cookie; passwords are switched off (AU2). */
let provider: TestProvider;
let server: TestServer;
let subjects = 0;

beforeAll(async () => {
  provider = await startOidcProvider();
  server = await startTestServer({
    env: {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_CLIENT_SECRET: provider.clientSecret,
      OIDC_DOMAINS: 'example.com',
      PASSWORD_SIGN_IN: 'false',
    },
  });
  provider.leadsTo(`${server.origin}/api/v1/sign-in/oidc/callback`);
});
afterAll(async () => {
  await server.close();
  provider.close();
});
beforeEach(() => {
  provider.person = somebody('example.com');
  provider.tamper = (_path, body) => body;
});

function somebody(domain: string) {
  const sub = `person ${(subjects += 1)}`;
  return { sub, email: `p${subjects}@${domain}`, email_verified: true, name: `Person ${subjects}` };
}

const page = (): PageClient => new PageClient(server.origin);

/** Follows the provider back to the server, in the same browser or in another; returns where that leads. */
async function back(address: string | null, browser: PageClient): Promise<string | null> {
  const { pathname, search } = await provider.visit(address ?? '');
  return (await browser.open(`${pathname}${search}`)).headers.get('location');
}

/** A click on the button. */
async function signIn(browser: PageClient, to = '/'): Promise<string | null> {
  const begun = await browser.open(`/api/v1/sign-in/oidc?to=${encodeURIComponent(to)}`);
  return back(begun.headers.get('location'), browser);
}

/** The same with a body. */
async function ask(browser: PageClient, body: unknown, headers: Record<string, string> = {}) {
  const begun = await browser.send('POST', '/sign-in/oidc', body, headers);
  return back(z.object({ url: z.string() }).parse(begun.body).url, browser);
}

/** The person whose browser this is. */
async function whose(browser: PageClient) {
  const { access, store } = server.running.services;
  const principal = await access.authentication.principalFromRequest({
    headers: { cookie: browser.cookie },
    address: '',
  });
  return principal && store.people.get(principal.workspace, memberOf(principal).person);
}

describe('signing in by the provider', () => {
  it('[AU2] whoever has a verified address of OIDC_DOMAINS gets an account with the default role, and the same one again', async () => {
    const [browser, other] = [page(), page()];
    expect(await signIn(browser, '/sessions/s_1?tab=t1')).toBe('/sessions/s_1?tab=t1');
    const person = await whose(browser);
    expect(person).toMatchObject({ name: provider.person.name, email: provider.person.email, role: 'member' });
    expect(browser.cookieNames.filter((name) => name.includes('oidc'))).toEqual([]);
    provider.person = { ...provider.person, email: 'moved@example.com', name: 'Another name' };
    expect(await signIn(other)).toBe('/');
    expect((await whose(other))?.id).toBe(person?.id);
  });

  it('[AU2][T1] a page of another site does not send a browser to the provider without a click', async () => {
    // `fetch` sets the metadata of its own requests.
    const led = (headers: Record<string, string>): Promise<string | undefined> =>
      new Promise((resolve, reject) => {
        const asked = get(`${server.origin}/api/v1/sign-in/oidc`, { headers }, (response) => {
          response.resume();
          resolve(response.headers.location);
        });
        asked.once('error', reject);
      });
    const foreign = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect(await led(foreign)).toBe('/sign-in?oidc=FORBIDDEN');
    expect(await led({ ...foreign, 'sec-fetch-user': '?1' })).toContain(provider.issuer);
  });

  it('[AU2] all others need an invitation, which names no address or theirs, and which they use by the provider', async () => {
    provider.person = somebody('elsewhere.example');
    const browser = page();
    expect(await signIn(browser)).toBe('/sign-in?oidc=FORBIDDEN');
    expect(browser.cookieNames).toEqual([]);
    const invite = async (email?: string): Promise<string> => {
      const { body } = await server.api('POST', '/api/v1/invitations', { role: 'viewer', ...(email && { email }) });
      return new URL(z.object({ url: z.string() }).parse(body).url).hash.slice(1);
    };
    expect(await ask(browser, { invitation: await invite('other@example.com') })).toBe('/sign-in?oidc=FORBIDDEN');
    const invitation = await invite(provider.person.email);
    expect(await ask(browser, { invitation, to: '/welcome' })).toBe('/welcome');
    expect(await whose(browser)).toMatchObject({ email: provider.person.email, role: 'viewer' });
    provider.person = somebody('elsewhere.example');
    expect(await ask(page(), { invitation })).toBe('/sign-in?oidc=NOT_FOUND');
  });

  it('[AU2] an address that is not verified gets nothing, and the account of its owner stays theirs', async () => {
    const { store } = server.running.services;
    const ada = await signedInPerson(server, 'admin', 'Ada');
    const email = `${ada.id}@example.com`;
    await store.people.setEmail(ada.id, email, new Date());
    provider.person = { ...somebody('example.com'), email, email_verified: false };
    expect(await signIn(page())).toBe('/sign-in?oidc=FORBIDDEN');
    // Nor does one that only the provider has verified: anybody could have written it into their account here.
    provider.person = { ...provider.person, email_verified: true };
    expect(await signIn(page())).toBe('/sign-in?oidc=CONFLICT');
  });

  it('[AU2] a signed-in person adds the provider to their account; one identity is of one account', async () => {
    const [ada, eve] = [await signedInPerson(server, 'admin', 'Ada'), await signedInPerson(server, 'viewer', 'Eve')];
    const connecting = page();
    expect((await connecting.send('POST', '/sign-in/oidc', { connect: true })).status).toBe(401);
    const own = new PageClient(server.origin, ada.headers.cookie);
    expect(await ask(own, { connect: true, to: '/account' })).toBe('/account');
    const later = page();
    expect(await signIn(later)).toBe('/');
    expect((await whose(later))?.id).toBe(ada.id);
    expect(await ask(new PageClient(server.origin, eve.headers.cookie), { connect: true })).toBe(
      '/settings/account?oidc=CONFLICT',
    );
    expect(await server.running.services.store.accounts.byProvider(`${provider.issuer} ${provider.person.sub}`)).toBe(
      ada.id,
    );
  });

  it('[AU2] adding the provider asks for a proof that it is the person; it is told in the log, and is no new sign-in', async () => {
    const { store, access } = server.running.services;
    const ada = await signedInPerson(server, 'admin', 'Ada');
    await access.accounts.setPassword(ada.id, 'the password of Ada');
    const own = new PageClient(server.origin, ada.headers.cookie);
    for (const currentPassword of [undefined, 'another'])
      expect(await own.send('POST', '/sign-in/oidc', { connect: true, currentPassword })).toMatchObject({
        ...{ status: 403, body: { error: { code: 'FORBIDDEN', details: { proof: 'password' } } } },
      });
    const proven = { connect: true, currentPassword: 'the password of Ada', to: '/account' };
    expect(await ask(own, proven)).toBe('/account');
    expect(await store.signIns.list(ada.id, new Date())).toMatchObject([{ factor: 'link', secondFactor: 'oidc' }]);
    expect((await store.log.list(ada.workspace, { limit: 5 })).at(-1)).toMatchObject({
      ...{ actor: { id: ada.id }, kind: 'account', said: { code: 'providerAdded' } },
    });
    provider.person = somebody('elsewhere.example');
    expect(await ask(own, proven)).toBe('/settings/account?oidc=CONFLICT');
    expect(await store.accounts.byProvider(`${provider.issuer} ${provider.person.sub}`)).toBeUndefined();
  });

  it('[AU2] who has another way to sign in removes the provider from their account, with a proof', async () => {
    const { store, access } = server.running.services;
    const ada = await signedInPerson(server, 'admin', 'Ada');
    const own = new PageClient(server.origin, ada.headers.cookie);
    const remove = (currentPassword?: string) => own.send('DELETE', '/account/provider', { currentPassword });
    await ask(own, { connect: true });
    expect(await remove()).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
    expect(await store.accounts.factorsOf(ada.id)).toMatchObject({ oidc: true });
    await access.accounts.setPassword(ada.id, 'the password of Ada');
    expect(await remove('another')).toMatchObject({ status: 403 });
    // Passwords are switched off here.
    expect(await remove('the password of Ada')).toMatchObject({ status: 409 });
    await sql`
      INSERT INTO auth_passkey ("id", "publicKey", "userId", "credentialID", "counter", "deviceType", "backedUp")
      VALUES (${ada.id}, '', ${ada.id}, ${ada.id}, 0, 'singleDevice', 0)`.execute(store.accounts.database);
    expect(await remove('the password of Ada')).toEqual({ status: 200, body: { removed: true } });
    expect(await store.accounts.factorsOf(ada.id)).toMatchObject({ oidc: false });
    expect((await store.log.list(ada.workspace, { limit: 5 })).at(-1)).toMatchObject({
      ...{ actor: { id: ada.id }, said: { code: 'providerRemoved' } },
    });
    // The passkey is a second factor, with which this sign-in was not made.
    expect(await remove('the password of Ada')).toMatchObject({ status: 403 });
    const eve = await signedInPerson(server, 'viewer', 'Eve');
    const none = await new PageClient(server.origin, eve.headers.cookie).send('DELETE', '/account/provider');
    expect(none).toMatchObject({ status: 404 });
  });

  it('[AU2] a provider that was removed stays removed: neither its identity nor another with the address is joined again', async () => {
    const { store } = server.running.services;
    const [own, elsewhere] = [page(), page()];
    await signIn(own);
    await signIn(elsewhere);
    const { id = '' } = (await whose(own)) ?? {};
    await sql`
      INSERT INTO auth_passkey ("id", "publicKey", "userId", "credentialID", "counter", "deviceType", "backedUp")
      VALUES (${id}, '', ${id}, ${id}, 0, 'singleDevice', 0)`.execute(store.accounts.database);
    expect(await elsewhere.send('GET', '/account')).toMatchObject({ body: { id } });
    expect(await own.send('DELETE', '/account/provider')).toMatchObject({ status: 200 });
    expect(await elsewhere.send('GET', '/account')).toMatchObject({ status: 401 });
    expect(await own.send('GET', '/account')).toMatchObject({ body: { id, oidc: false } });
    expect(await signIn(page())).toBe('/sign-in?oidc=CONFLICT');
    provider.person = { ...provider.person, sub: 'somebody with the same address' };
    expect(await signIn(page())).toBe('/sign-in?oidc=CONFLICT');
    expect(await store.accounts.factorsOf(id)).toMatchObject({ oidc: false });
  });

  it('[AU2] who has a second factor connects the provider only in a sign-in that was made with it', async () => {
    const { store } = server.running.services;
    const ada = await signedInPerson(server, 'admin', 'Ada');
    const own = new PageClient(server.origin, ada.headers.cookie);
    const begun = await own.send('POST', '/sign-in/oidc', { connect: true });
    await sql`
      INSERT INTO auth_passkey ("id", "publicKey", "userId", "credentialID", "counter", "deviceType", "backedUp")
      VALUES (${ada.id}, '', ${ada.id}, ${ada.id}, 0, 'singleDevice', 0)`.execute(store.accounts.database);
    expect(await own.send('POST', '/sign-in/oidc', { connect: true })).toMatchObject({
      ...{ status: 403, body: { error: { details: { proof: 'second-factor' } } } },
    });
    expect(await back(z.object({ url: z.string() }).parse(begun.body).url, own)).toBe(
      '/settings/account?oidc=FORBIDDEN',
    );
    expect(await store.accounts.factorsOf(ada.id)).toMatchObject({ oidc: false });
  });

  it('[AU2] a page that waits for the provider adds nothing when its sign-in has ended meanwhile', async () => {
    const { store } = server.running.services;
    const ada = await signedInPerson(server, 'admin', 'Ada');
    const own = new PageClient(server.origin, ada.headers.cookie);
    const begun = await own.send('POST', '/sign-in/oidc', { connect: true });
    await store.signIns.revokeAll(ada.id, {}, new Date());
    expect(await back(z.object({ url: z.string() }).parse(begun.body).url, own)).toBe(
      '/settings/account?oidc=UNAUTHENTICATED',
    );
    expect(await store.accounts.factorsOf(ada.id)).toMatchObject({ oidc: false });
  });

  it('[AU2] an answer of the provider signs in only the browser that began; where it leads is of our own site', async () => {
    const [mine, other] = [page(), page()];
    const begun = await mine.open('/api/v1/sign-in/oidc?to=//evil.example');
    const { pathname, search } = await provider.visit(begun.headers.get('location') ?? '');
    const stolen = await other.open(`${pathname}${search}`);
    expect(stolen.headers.get('location')).toBe('/sign-in?oidc=UNAUTHENTICATED');
    expect(other.cookieNames).toEqual([]);
    expect((await mine.open(`${pathname}${search}`)).headers.get('location')).toBe('/');
    for (const query of ['', '?state=x&code=y', '?error=%3Cb%3E', `?state=${'x'.repeat(5_000)}`])
      expect((await page().open(`${pathname}${query}`)).headers.get('location')).toBe('/sign-in?oidc=UNAUTHENTICATED');
  });

  it('[AU2] who was removed is known, and comes back by an invitation only', async () => {
    const browser = page();
    await signIn(browser);
    const person = await whose(browser);
    const removed = await page().send('DELETE', `/members/${person?.id}`, undefined, {
      cookie: await server.signIn(),
    });
    expect(removed.status).toBe(200);
    expect(await whose(browser).catch(() => 'ended')).toBe('ended');
    expect(await signIn(page())).toBe('/sign-in?oidc=FORBIDDEN');
    const { body } = await server.api('POST', '/api/v1/invitations', {
      role: 'viewer',
      email: provider.person.email,
    });
    const invitation = new URL(z.object({ url: z.string() }).parse(body).url).hash.slice(1);
    const again = page();
    expect(await ask(again, { invitation })).toBe('/');
    expect(await whose(again)).toMatchObject({ id: person?.id, role: 'viewer' });
  });

  it('[AU2] who was removed comes back by an invitation only, also with an earlier address, and when they never signed in by the provider', async () => {
    const { store, access } = server.running.services;
    const email = 'leaver@example.com';
    provider.person = { ...provider.person, email };
    const ada = await signedInPerson(server, 'member', 'Ada');
    await store.people.setEmail(ada.id, email, new Date());
    await store.people.setEmail(ada.id, 'renamed@example.com', new Date());
    const cookie = await server.signIn();
    expect((await page().send('DELETE', `/members/${ada.id}`, undefined, { cookie })).status).toBe(200);
    expect(await signIn(page())).toBe('/sign-in?oidc=FORBIDDEN');
    provider.person = { ...somebody('example.com'), email: 'renamed@example.com' };
    expect(await signIn(page())).toBe('/sign-in?oidc=FORBIDDEN');
    provider.person = { ...provider.person, email };
    expect(await store.people.byEmail(email)).toBeUndefined();
    const { body } = await server.api('POST', '/api/v1/invitations', { role: 'viewer' });
    const invitation = new URL(z.object({ url: z.string() }).parse(body).url).hash.slice(1);
    const again = page();
    expect(await ask(again, { invitation })).toBe('/');
    expect(await whose(again)).toMatchObject({ email, workspace: access.owner.workspace });
  });

  it('[AU2] a provider that fails is a page that says so; links of the server still sign in, passwords do not', async () => {
    const begun = await page().open('/api/v1/sign-in/oidc');
    expect(begun.status).toBe(302);
    const browser = page();
    const address = (await browser.open('/api/v1/sign-in/oidc')).headers.get('location');
    provider.tamper = (path, body) => (path === '/token' ? 'nonsense' : body);
    expect(await back(address, browser)).toBe('/sign-in?oidc=UNSUPPORTED');
    expect((await page().send('GET', '/sign-in')).body).toMatchObject({
      password: false,
      oidc: { name: new URL(provider.issuer).host },
    });
    const refused = await page().send('POST', '/sign-in/password', { email: 'a@example.com', password: 'x' });
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'UNSUPPORTED' } } });
    expect(await page().send('POST', '/sign-in/forgotten', { email: 'a@example.com' })).toMatchObject({ status: 400 });
    expect((await page().send('GET', '/sessions', undefined, { cookie: await server.signIn() })).status).toBe(200);
  });
});
