import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { sharedTestServer, startTestServer, type TestServer } from '@/server/testing/server';
import { personWithPassword, signedInPage } from '@/server/testing/accounts';
import { PageClient } from '@/server/testing/page-client';
import { signedInPerson } from '@/server/testing/people';
import { totp } from '@/server/testing/totp';

/** Accounts at the HTTP door (AU2, T15). */
let server: TestServer;

beforeAll(async () => {
  server = await sharedTestServer();
});

afterAll(() => server.close());

const localhost = (): string => server.origin.replace('127.0.0.1', 'localhost');

const account = (name: string) => personWithPassword(server, name);
const aPage = (): PageClient => new PageClient(server.origin);

const errorSchema = z.object({ error: z.object({ details: z.unknown() }) });

const cookies = (...kinds: string[]): string[] => kinds.map((kind) => `${kind}_${new URL(server.origin).port}`);

describe('passwords', () => {
  it('[AU2] a password signs in; what better-auth keeps for it ends with the call', async () => {
    const { email, password } = await account('Grace');
    const page = aPage();
    const answer = await page.send('POST', '/sign-in/password', { email: email.toUpperCase(), password });

    expect(answer).toEqual({ status: 200, body: { signedIn: true } });
    expect(page.cookieNames).toEqual(cookies('wh', 'wh_known'));
    expect((await page.send('GET', '/sessions')).status).toBe(200);
    expect(server.running.services.access.accounts.auth.pending).toBe(0);
  });

  it('[T15] an unknown address, an account without a password and a wrong password are refused alike, after one hash each', async () => {
    const { email } = await account('Alan');
    const { id } = await signedInPerson(server, 'member', 'Barbara');
    const without = `${id}@example.com`;
    await server.running.services.store.people.setEmail(id, without, new Date());
    const { accounts } = server.running.services.access;
    const tries = [email, without, 'nobody@example.com'];
    const seen: unknown[] = [];
    for (const tried of tries) {
      const before = accounts.hashes;
      const answer = await aPage().send('POST', '/sign-in/password', { email: tried, password: 'a wrong one' });
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
    // On a server of its own: so many guesses, and those of a second try, would keep out the tests that follow.
    const guessed = await startTestServer();
    onTestFinished(() => guessed.close());
    const { email, password } = await personWithPassword(guessed, 'Edsger');
    const [known, stranger] = [new PageClient(guessed.origin), new PageClient(guessed.origin)];
    await known.send('POST', '/sign-in/password', { email, password });
    const { accounts } = guessed.running.services.access;
    const before = accounts.hashes;
    const codes = [];
    for (let guess = 0; guess < 12; guess += 1)
      codes.push((await stranger.send('POST', '/sign-in/password', { email, password: `guess ${guess}` })).status);

    expect(codes).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    expect(accounts.hashes - before).toBe(10);
    expect(await stranger.send('POST', '/sign-in/password', { email, password })).toMatchObject({ status: 429 });
    expect(await known.send('POST', '/sign-in/password', { email, password })).toMatchObject({ status: 200 });
    const other = await personWithPassword(guessed, 'Donald');
    expect(await stranger.send('POST', '/sign-in/password', other)).toMatchObject({ status: 400 });
    const { email: address, password: right } = other;
    expect(await stranger.send('POST', '/sign-in/password', { email: address, password: right })).toMatchObject({
      status: 200,
    });
  });

  it("[T1] no page of another site signs a person in, and none of better-auth's own paths is there", async () => {
    const { email, password } = await account('Tony');
    const foreign = await aPage().send(
      'POST',
      '/sign-in/password',
      { email, password },
      { origin: 'https://evil.example' },
    );
    const paths = ['/auth/sign-in/email', '/auth/ok', '/sign-in/email', '/auth/get-session', '/auth/two-factor/enable'];
    const statuses = await Promise.all(
      paths.map(async (one) => (await aPage().send('POST', one, { email, password })).status),
    );

    expect(foreign.status).toBe(403);
    expect(statuses).toEqual(paths.map(() => 404));
  });
});

const newSecondFactor = z.object({ uri: z.string(), secret: z.string(), recoveryCodes: z.array(z.string()) });

/** A person with codes, their page, the secret of their authenticator app and their recovery codes. */
async function withCodes(name: string) {
  const person = await account(name);
  const page = await signedInPage(server.origin, person);
  const begun = await page.send('POST', '/account/second-factor', { currentPassword: person.password });
  const { uri, secret, recoveryCodes } = newSecondFactor.parse(begun.body);
  expect(await page.send('POST', '/account/second-factor/confirm', { code: totp(secret, -1) })).toEqual({
    status: 200,
    body: { on: true },
  });
  return { ...person, page, uri, secret, recoveryCodes };
}

/** A browser that has given the password. */
async function halfSignedIn({ email, password }: { email: string; password: string }): Promise<PageClient> {
  const page = aPage();
  expect(await page.send('POST', '/sign-in/password', { email, password })).toEqual({
    status: 200,
    body: { secondFactor: ['code', 'recovery'], now: expect.any(String) },
  });
  return page;
}

describe('codes of an authenticator app', () => {
  it('[AU2] a password alone signs nobody in who has codes; password and code do', async () => {
    const ada = await withCodes('Ada');
    const page = await halfSignedIn(ada);

    expect(ada.uri).toContain(`otpauth://totp/Wheelhouse%3A${encodeURIComponent(ada.email)}?`);
    expect(page.cookieNames).toEqual([`wh_auth_${new URL(server.origin).port}.two_factor`]);
    expect((await page.send('GET', '/sessions')).status).toBe(401);
    expect(await page.send('POST', '/sign-in/code', { code: totp(ada.secret) })).toEqual({
      status: 200,
      body: { signedIn: true },
    });
    expect(page.cookieNames).toEqual(cookies('wh', 'wh_known'));
    expect(await page.send('GET', '/account')).toMatchObject({
      body: { factor: 'password+code', secondFactor: { on: true, recoveryCodes: 10 }, proof: 'password' },
    });
    expect(server.running.services.access.accounts.auth.pending).toBe(0);
  });

  it('[AU2] a code works once, also the one that turned codes on, and when two use it at the same moment', async () => {
    const grace = await withCodes('Grace');
    const [first, second, third] = [await halfSignedIn(grace), await halfSignedIn(grace), await halfSignedIn(grace)];
    const reused = await first.send('POST', '/sign-in/code', { code: totp(grace.secret, -1) });
    const both = await Promise.all(
      [second, third].map((page) => page.send('POST', '/sign-in/code', { code: totp(grace.secret) })),
    );

    expect(reused).toMatchObject({ status: 401, body: { error: { details: { again: 'password' } } } });
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  });

  it('[AU2] a recovery code signs in who has lost the app, once; new ones replace the old', async () => {
    const alan = await withCodes('Alan');
    const [first = '', second = ''] = alan.recoveryCodes;
    const [lost, again] = [await halfSignedIn(alan), await halfSignedIn(alan)];

    expect(await lost.send('POST', '/sign-in/recovery', { code: ` ${first} ` })).toMatchObject({ status: 200 });
    expect(await again.send('POST', '/sign-in/recovery', { code: first })).toMatchObject({ status: 401 });
    expect(await lost.send('GET', '/account')).toMatchObject({ body: { secondFactor: { recoveryCodes: 9 } } });
    const renewed = await lost.send('POST', '/account/recovery-codes', { currentPassword: alan.password });
    expect(renewed).toMatchObject({ status: 200 });
    expect(await again.send('POST', '/sign-in/recovery', { code: second })).toMatchObject({ status: 401 });
  });

  it('[T15] five wrong codes end the sign-in that they belong to, and each says what time the server has', async () => {
    const barbara = await withCodes('Barbara');
    const page = await halfSignedIn(barbara);
    const answers: unknown[] = [];
    for (let guess = 0; guess < 6; guess += 1)
      answers.push((await page.send('POST', '/sign-in/code', { code: '000000' })).body);
    const now = expect.stringMatching(/^\d{4}-.*Z$/);

    expect(answers.map((body) => errorSchema.parse(body).error.details)).toEqual([
      ...Array.from({ length: 5 }, () => ({ now })),
      { now, again: 'password' },
    ]);
    expect(await page.send('POST', '/sign-in/code', { code: totp(barbara.secret) })).toMatchObject({ status: 401 });
    expect(
      await (await halfSignedIn(barbara)).send('POST', '/sign-in/code', { code: totp(barbara.secret) }),
    ).toMatchObject({ status: 200 });
  });

  it('[AU2] codes are turned on with a right one only, and off with the password', async () => {
    const { auth } = server.running.services.access.accounts;
    const { pending } = auth;
    const tony = await account('Tony');
    const page = await signedInPage(server.origin, tony);
    const { currentPassword } = { currentPassword: tony.password };
    const begun = newSecondFactor.parse((await page.send('POST', '/account/second-factor', { currentPassword })).body);
    const wrong = await page.send('POST', '/account/second-factor/confirm', { code: '000000' });

    expect(wrong).toMatchObject({ status: 403, body: { error: { details: { now: expect.any(String) } } } });
    expect((await signedInPage(server.origin, tony)).cookieNames).toEqual(cookies('wh', 'wh_known'));
    await page.send('POST', '/account/second-factor/confirm', { code: totp(begun.secret) });
    expect(await page.send('POST', '/account/second-factor', { currentPassword })).toMatchObject({ status: 409 });
    expect(await page.send('DELETE', '/account/second-factor', {})).toMatchObject({
      status: 403,
      body: { error: { details: { proof: 'password' } } },
    });
    expect(await page.send('DELETE', '/account/second-factor', { currentPassword })).toEqual({
      status: 200,
      body: { on: false },
    });
    expect((await signedInPage(server.origin, tony)).cookieNames).toEqual(cookies('wh', 'wh_known'));
    expect(auth.pending).toBe(pending);
  });
});

describe('a first code', () => {
  const confirm = (page: PageClient, code: string) => page.send('POST', '/account/second-factor/confirm', { code });

  it('[AU2][T15] turns codes on once; no sign-in tries the codes of an app that is in use', async () => {
    const grace = await account('Grace');
    const [page, older] = [await signedInPage(server.origin, grace), await signedInPage(server.origin, grace)];
    const begun = await page.send('POST', '/account/second-factor', { currentPassword: grace.password });
    const { secret } = newSecondFactor.parse(begun.body);
    const both = await Promise.all([page, page].map((one) => confirm(one, totp(secret, -1))));

    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await confirm(older, totp(secret))).status).toBe(409);
    const signIns = await server.running.services.store.signIns.list(grace.id, new Date());
    expect(signIns.filter(({ secondFactor }) => secondFactor === 'code')).toHaveLength(1);
  });

  it('[T15] is guessed ten times in a quarter of an hour', async () => {
    const alan = await account('Alan');
    const page = await signedInPage(server.origin, alan);
    await page.send('POST', '/account/second-factor', { currentPassword: alan.password });
    const statuses = [];
    for (let guess = 0; guess < 11; guess += 1) statuses.push((await confirm(page, '000000')).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 403), 429]);
  });
});

describe('who has a second factor', () => {
  const asksForIt = { status: 403, body: { error: { code: 'FORBIDDEN', details: { proof: 'second-factor' } } } };
  const addPasskey = (id: string) =>
    sql`
      INSERT INTO auth_passkey ("id", "publicKey", "userId", "credentialID", "counter", "deviceType", "backedUp")
      VALUES (${id}, '', ${id}, ${id}, 0, 'singleDevice', 0)`.execute(server.running.services.store.accounts.database);

  it('[AU2] adds and removes none by a password alone, nor by one from before the codes', async () => {
    const barbara = await account('Barbara');
    const { email, password } = barbara;
    const older = new PageClient(localhost());
    await older.send('POST', '/sign-in/password', { email, password });
    const page = await signedInPage(server.origin, barbara);
    const proof = { currentPassword: password };
    const begun = await page.send('POST', '/account/second-factor', proof);
    const { secret } = newSecondFactor.parse(begun.body);
    await page.send('POST', '/account/second-factor/confirm', { code: totp(secret, -1) });

    expect(await older.send('DELETE', '/account/second-factor', proof)).toMatchObject(asksForIt);
    expect(await older.send('POST', '/account/recovery-codes', proof)).toMatchObject(asksForIt);
    expect(await older.send('POST', '/account/passkeys/options', proof)).toMatchObject(asksForIt);
    expect(await older.send('DELETE', '/account/passkeys/x', proof)).toMatchObject(asksForIt);
    expect(await older.send('DELETE', '/account/provider', proof)).toMatchObject(asksForIt);
    expect(await page.send('DELETE', '/account/second-factor', proof)).toMatchObject({ status: 200 });
  });

  it('[AU2] keeps a passkey that somebody with the password cannot undo, until an admin resets it', async () => {
    const lin = await account('Lin');
    const page = await signedInPage(server.origin, lin);
    const proof = { currentPassword: lin.password };
    const { secret } = newSecondFactor.parse((await page.send('POST', '/account/second-factor', proof)).body);
    await addPasskey(lin.id);
    expect(await page.send('POST', '/account/second-factor', proof)).toMatchObject(asksForIt);
    expect(await page.send('POST', '/account/second-factor/confirm', { code: totp(secret) })).toMatchObject(asksForIt);
    expect(await page.send('DELETE', `/account/passkeys/${lin.id}`, proof)).toMatchObject(asksForIt);
    const owner = await ownerPage();
    expect((await owner.send('DELETE', `/members/${lin.id}/second-factor`)).status).toBe(200);
    expect(await page.send('GET', '/account/passkeys')).toEqual({ status: 200, body: [] });
    expect((await page.send('POST', '/account/second-factor', proof)).status).toBe(201);
  });
});

describe('a workspace that requires a second factor', () => {
  const needed = {
    status: 403,
    body: {
      error: expect.objectContaining({
        code: 'FORBIDDEN',
        details: { reason: 'SECOND_FACTOR_NEEDED' },
        said: { code: 'secondFactorNeeded' },
        hint: expect.stringContaining('/account'),
      }),
    },
  };
  const made = z.object({ id: z.string() });

  /** A workspace of the server's owner, with an admin who has a password. */
  async function strict(name: string) {
    const { store, access } = server.running.services;
    const owner = await ownerPage();
    const { id: workspace } = made.parse((await owner.send('POST', '/workspaces', { name })).body);
    const person = await account(name);
    await store.people.setRole(workspace, person.id, 'admin', new Date());
    access.rights.apply({ kind: 'member', workspace, person: person.id, role: 'admin' });
    const there = { 'x-workspace': workspace };
    const require = (page: PageClient, secondFactor: boolean) =>
      page.send('PATCH', '/workspace', { policy: { secondFactor } }, there);
    return { workspace, owner, person, page: await signedInPage(server.origin, person), there, require };
  }

  it('[AU2] without one a member sees that it is there and reaches their account; once it is set up the same sign-in counts', async () => {
    const { workspace, owner, person, page, there, require } = await strict('Radia');
    const other = await signedInPage(server.origin, person);
    const key = z
      .object({ key: z.string() })
      .parse((await page.send('POST', '/keys', { name: 'Bot', sessions: 'workspace' }, there)).body);
    expect(await require(owner, true)).toMatchObject({ status: 200, body: { policy: { secondFactor: true } } });
    const get = (route: string, from = page) => from.send('GET', route, undefined, there);

    expect(
      await Promise.all(['/sessions', '/sessions/s_none', '/workspace', '/keys', '/log'].map((one) => get(one))),
    ).toEqual(Array.from({ length: 5 }, () => needed));
    expect((await get('/workspaces')).body).toEqual([
      expect.objectContaining({ home: true, withheld: null }),
      expect.objectContaining({ id: workspace, role: 'admin', withheld: 'SECOND_FACTOR_NEEDED' }),
    ]);
    expect([(await get('/account')).status, (await page.send('GET', '/sessions')).status]).toEqual([200, 200]);
    const { status } = await server.api('GET', '/api/v1/sessions', undefined, { authorization: `Bearer ${key.key}` });
    expect(status).toBe(200);
    const { password: currentPassword } = person;
    const { secret } = newSecondFactor.parse(
      (await page.send('POST', '/account/second-factor', { currentPassword })).body,
    );
    expect(await get('/sessions')).toEqual(needed);
    await page.send('POST', '/account/second-factor/confirm', { code: totp(secret, -1) });
    expect([(await get('/sessions')).status, await get('/sessions', other)]).toEqual([200, needed]);
    await page.send('DELETE', '/account/second-factor', { currentPassword });
    expect(await get('/sessions')).toEqual(needed);
    expect((await require(owner, false)).status).toBe(200);
    expect((await get('/sessions')).status).toBe(200);
  });

  it('[AU2] who requires one has one: no key, and nobody who signed in without; the link of the server counts', async () => {
    const { workspace, owner, person, page, there, require } = await strict('Hedy');
    const refused = {
      status: 403,
      body: { error: expect.objectContaining({ details: { reason: 'SECOND_FACTOR_NEEDED' } }) },
    };
    expect(await require(page, true)).toEqual(refused);
    const key = await page.send(
      'POST',
      '/keys',
      { name: 'Bot', grants: ['watch', 'manage'], sessions: 'workspace' },
      there,
    );
    const { key: text } = z.object({ key: z.string() }).parse(key.body);
    const byKey = { authorization: `Bearer ${text}` };
    const policy = { secondFactor: false };
    expect((await server.api('PATCH', '/api/v1/workspace', { policy }, byKey)).status).toBe(403);
    const { currentPassword } = { currentPassword: person.password };
    const { secret } = newSecondFactor.parse(
      (await page.send('POST', '/account/second-factor', { currentPassword })).body,
    );
    await page.send('POST', '/account/second-factor/confirm', { code: totp(secret, -1) });
    expect(await require(page, true)).toMatchObject({ status: 200 });
    expect((await owner.send('GET', '/sessions', undefined, there)).status).toBe(200);
    const half = await halfSignedIn(person);
    await half.send('POST', '/sign-in/code', { code: totp(secret) });
    expect((await half.send('GET', '/sessions', undefined, there)).status).toBe(200);
    const rows = await server.running.services.store.log.list(workspace, { limit: 10 });
    expect(rows.map(({ text: said }) => said)).toContain('changed the policies of the workspace: secondFactor');
  });

  it('[AU2] an admin who resets the codes of a person takes their rights there, until they set up new ones', async () => {
    const { owner, person, page, there, require } = await strict('Joan');
    const { currentPassword } = { currentPassword: person.password };
    const { secret } = newSecondFactor.parse(
      (await page.send('POST', '/account/second-factor', { currentPassword })).body,
    );
    await page.send('POST', '/account/second-factor/confirm', { code: totp(secret, -1) });
    await require(owner, true);
    const before = await page.send('GET', '/sessions', undefined, there);
    await owner.send('DELETE', `/members/${person.id}/second-factor`, undefined, there);

    expect([before.status, await page.send('GET', '/sessions', undefined, there)]).toEqual([200, needed]);
  });

  it('[AU2] who signed in without one does nothing to the accounts of its members, from another workspace neither', async () => {
    const { store, access } = server.running.services;
    const { workspace, owner, person, page, require } = await strict('Pat');
    const quinn = await withCodes('Quinn');
    const join = async (id: string, to: string, role: 'admin' | 'member') => {
      await store.people.setRole(to, id, role, new Date());
      access.rights.apply({ kind: 'member', workspace: to, person: id, role });
    };
    await join(quinn.id, workspace, 'member');
    await join(person.id, access.owner.workspace, 'admin');
    await require(owner, true);
    const request = { headers: { host: new URL(server.origin).host }, address: '' };
    const { setCookies } = await access.authentication.admitPerson(access.owner.id, 'password', request);
    const ownerByPassword = new PageClient(server.origin, setCookies.map((one) => one.split(';')[0]).join('; '));
    const above = {
      status: 403,
      body: {
        error: expect.objectContaining({
          details: { reason: 'SECOND_FACTOR_NEEDED' },
          said: { code: 'secondFactorAbove' },
        }),
      },
    };
    const members = z.array(z.object({ id: z.string(), may: z.array(z.string()) }));
    const mayFor = async (from: PageClient) =>
      members.parse((await from.send('GET', '/members')).body).find(({ id }) => id === quinn.id)?.may;
    for (const from of [page, ownerByPassword]) {
      expect(await from.send('DELETE', `/members/${quinn.id}/second-factor`)).toEqual(above);
      expect(await from.send('POST', `/members/${quinn.id}/password-link`)).toEqual(above);
      expect(await mayFor(from)).toEqual(['role', 'remove']);
    }
    expect(await mayFor(owner)).toEqual(['role', 'remove', 'password', 'secondFactor']);
    expect((await owner.send('DELETE', `/members/${quinn.id}/second-factor`)).status).toBe(200);
  });
});

/** What the workspace's log tells of a person, oldest first. */
async function logged(id: string): Promise<string[]> {
  const { store, access } = server.running.services;
  const rows = await store.log.list(access.owner.workspace, { limit: 1_000 });
  return rows.filter(({ actor, about }) => actor.id === id || about?.id === id).map(({ text }) => text);
}

const ownerPage = async (): Promise<PageClient> => new PageClient(server.origin, await server.signIn());

describe('an authenticator app that is lost', () => {
  it('[AU2] an admin resets the codes of a member, and nobody those of someone above them', async () => {
    const [ada, owner] = [await withCodes('Ada'), await ownerPage()];
    const [member, admin] = [await signedInPerson(server, 'member'), await signedInPerson(server, 'admin', 'Admin')];
    const reset = async (id: string, headers: { cookie: string; origin: string }): Promise<number> =>
      (await fetch(`${server.origin}/api/v1/members/${id}/second-factor`, { method: 'DELETE', headers })).status;
    const { owner: first } = server.running.services.access;
    const refused = [await reset(ada.id, member.headers), await reset(first.id, admin.headers)];
    const unknown = await owner.send('DELETE', '/members/p_none/second-factor');

    expect([...refused, unknown.status]).toEqual([403, 403, 404]);
    expect(await reset(ada.id, admin.headers)).toBe(200);
    expect(await reset(ada.id, admin.headers)).toBe(409);
    await signedInPage(server.origin, ada);
    expect((await logged(ada.id)).filter((text) => text.includes('reset'))).toEqual(['reset the second factor of Ada']);
  });

  it('[AU1] the owner of the server gets back in by a link, and chooses a new password without the old one', async () => {
    const { access, store } = server.running.services;
    await store.people.setEmail(access.owner.id, 'owner@example.com', new Date());
    await access.accounts.setPassword(access.owner.id, 'forgotten since');
    const page = await ownerPage();

    expect(await page.send('GET', '/account')).toMatchObject({ body: { password: true, proof: 'sign-in' } });
    expect((await page.send('POST', '/account/second-factor', {})).status).toBe(201);
    expect(await page.send('PUT', '/account/password', { password: 'remembered now' })).toMatchObject({ status: 200 });
    const again = await signedInPage(server.origin, { email: 'owner@example.com', password: 'remembered now' });
    expect(await again.send('PUT', '/account/password', { password: 'not without' })).toMatchObject({ status: 403 });
    await store.accounts.forget(access.owner.id);
  });
});

describe('the log of the workspace', () => {
  it('[TL1] tells of sign-ins, refused ones, and of every change of an account', async () => {
    const ada = await withCodes('Ada');
    await aPage().send('POST', '/sign-in/password', { email: ada.email, password: 'a wrong one' });
    const half = await halfSignedIn(ada);
    await half.send('POST', '/sign-in/recovery', { code: ada.recoveryCodes[0] });
    const { currentPassword } = { currentPassword: ada.password };
    await half.send('POST', '/account/recovery-codes', { currentPassword });
    await half.send('DELETE', '/account/second-factor', { currentPassword });
    await half.send('PATCH', '/account', { name: 'Ada L', email: 'ada.l@example.com', currentPassword });
    await half.send('PUT', '/account/password', { password: 'a new password', currentPassword });

    await expect.poll(() => logged(ada.id)).toContain('refused to sign in Ada (password, ×1)');
    expect((await logged(ada.id)).filter((text) => !text.startsWith('refused'))).toEqual([
      'signed in (password)',
      'switched the second factor on',
      'signed in (password+code)',
      ...['used a recovery code', 'made new recovery codes', 'switched the second factor off'],
      ...[expect.stringContaining('Ada L'), expect.stringContaining('address'), 'set a new password'],
    ]);
  });
});

describe('the own account', () => {
  it('[AU2] shows who one is; name and address change, an address of somebody else does not', async () => {
    const [ada, grace] = [await account('Ada'), await account('Grace')];
    const page = await signedInPage(server.origin, ada);
    const { currentPassword } = { currentPassword: ada.password };

    expect(await page.send('GET', '/account')).toEqual({
      status: 200,
      body: {
        ...{ id: ada.id, name: 'Ada', email: ada.email, role: 'member', serverOwner: false, factor: 'password' },
        ...{ password: true, secondFactor: { on: false, recoveryCodes: 0 }, passkeys: 0, oidc: false },
        ...{ proof: 'password', workspace: server.running.services.access.owner.workspace },
        ...{ signedInAt: expect.any(String), now: expect.any(String) },
      },
    });
    expect(await page.send('PATCH', '/account', { name: 'Ada Lovelace' })).toMatchObject({
      body: { name: 'Ada Lovelace' },
    });
    expect(await page.send('PATCH', '/account', { email: 'new@example.com' })).toMatchObject({ status: 403 });
    const taken = await page.send('PATCH', '/account', { email: grace.email, currentPassword });
    expect(taken).toMatchObject({ status: 409 });
    expect(await page.send('PATCH', '/account', { email: 'New@example.com', currentPassword })).toMatchObject({
      body: { email: 'new@example.com' },
    });
    expect(await page.send('PATCH', '/account', { name: 'Wheelhouse' })).toMatchObject({ status: 400 });
  });

  it('[AU2] a new password asks for the present one, and ends the other sign-ins', async () => {
    const ada = await account('Ada');
    const [here, there] = [await signedInPage(server.origin, ada), await signedInPage(server.origin, ada)];
    const wrong = await here.send('PUT', '/account/password', { password: 'another one', currentPassword: 'x' });
    const right = await here.send('PUT', '/account/password', {
      password: 'another one',
      currentPassword: ada.password,
    });

    expect(wrong).toMatchObject({ status: 403, body: { error: { details: { proof: 'password' } } } });
    expect(right).toEqual({ status: 200, body: { changed: true } });
    expect((await here.send('GET', '/account')).status).toBe(200);
    expect((await there.send('GET', '/account')).status).toBe(401);
    expect(await aPage().send('POST', '/sign-in/password', ada)).toMatchObject({ status: 400 });
    await signedInPage(server.origin, { email: ada.email, password: 'another one' });
  });

  it('[AU2] who has no password chooses one after a recent sign-in, and not after an old one', async () => {
    const { id, headers } = await signedInPerson(server, 'viewer', 'Linked');
    await server.running.services.store.people.setEmail(id, `${id.slice(2)}@example.com`.toLowerCase(), new Date());
    const put = (): Promise<Response> =>
      fetch(`${server.origin}/api/v1/account/password`, {
        method: 'PUT',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ password: 'a first password' }),
      });
    const { store } = server.running.services;
    const signIn = (await store.signIns.list(id, new Date()))[0]?.id ?? '';
    const old = new Date(Date.now() - 16 * 60_000).toISOString();
    await store.accounts.database.updateTable('logins').set({ created_at: old }).where('id', '=', signIn).execute();
    const late = await put();
    const refused: unknown = await late.json();
    const recent = new Date().toISOString();
    await store.accounts.database.updateTable('logins').set({ created_at: recent }).where('id', '=', signIn).execute();

    expect(refused).toMatchObject({ error: { code: 'FORBIDDEN', details: { proof: 'sign-in' } } });
    expect((await put()).status).toBe(200);
  });

  it('[AU2] a password needs an address, and nobody takes one that stands for none', async () => {
    const { id, headers } = await signedInPerson(server, 'viewer', 'Nameless');
    const page = new PageClient(server.origin, headers.cookie);
    const refused = await page.send('PUT', '/account/password', { password: 'a first password' });
    const taken = await page.send('PATCH', '/account', { email: `${id}@no-address.invalid` });

    expect(refused).toMatchObject({ status: 409, body: { error: { hint: expect.stringContaining('address') } } });
    expect(taken).toMatchObject({ status: 400 });
  });

  it('[AU2] a key has no account', async () => {
    expect((await server.api('GET', '/api/v1/account')).status).toBe(403);
  });
});

describe('signing in', () => {
  it('[AU2] a stranger is told the ways to sign in, and why passkeys do not work at an IP address', async () => {
    const methods = async (origin: string): Promise<unknown> => (await fetch(`${origin}/api/v1/sign-in`)).json();
    const now = expect.stringMatching(/^\d{4}-.*Z$/);

    const accounts = expect.any(Boolean);
    expect(await methods(localhost())).toEqual({ accounts, password: true, passkey: { available: true }, now });
    expect(await methods(server.origin)).toEqual({
      ...{ accounts, password: true, now },
      passkey: { available: false, reason: 'ip-address' },
    });
  });

  it('[AU2] whoever has proved who they are gets a sign-in of their own, and a browser that is known', async () => {
    const { access, store } = server.running.services;
    const { id } = await signedInPerson(server, 'member', 'Ada');
    const headers = { host: new URL(server.origin).host, 'user-agent': 'A browser' };
    const { setCookies, principal } = await access.authentication.admitPerson(id, 'password', {
      headers,
      address: '203.0.113.7',
    });
    const cookie = setCookies.map((one) => one.split(';')[0]).join('; ');
    const listed = await store.signIns.list(id, new Date());

    expect(principal).toMatchObject({ kind: 'human', person: id, workspace: access.owner.workspace });
    expect(listed.find((signIn) => signIn.id === principal.credential.id)).toMatchObject({
      ...{ factor: 'password', address: '203.0.113.7', agent: 'A browser' },
    });
    expect((await fetch(`${server.origin}/api/v1/sessions`, { headers: { cookie } })).status).toBe(200);
    expect(await access.authentication.knownBrowser(id, { ...headers, cookie })).toMatch(/^[0-9a-f]{64}$/);
    expect(await access.authentication.knownBrowser(access.owner.id, { ...headers, cookie })).toBeUndefined();
    expect(await access.authentication.knownBrowser(id, headers)).toBeUndefined();
  });

  it('[AU2] nobody is signed in who is in no workspace any more', async () => {
    const { access, store } = server.running.services;
    const { id, workspace } = await signedInPerson(server, 'member', 'Gone');
    await store.people.setRole(workspace, id, undefined, new Date());
    access.rights.apply({ kind: 'member', workspace, person: id, role: undefined });

    await expect(
      access.authentication.admitPerson(id, 'password', {
        headers: { host: new URL(server.origin).host },
        address: '',
      }),
    ).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});
