import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { Deferred } from '@/lib/async/deferred';
import { FakeClock } from '@/lib/budget/fake-clock';
import type { OidcConfig } from '@/server/config/config';
import { Secret } from '@/server/config/secret';
import { Mail } from '@/server/mail/mail';
import { disturbedStore } from '@/server/testing/disturbed-store';
import { quietLogger, tempStore } from '@/server/testing/temp-store';
import { totp } from '@/server/testing/totp';
import { createAccess, type Access } from '../access';
import { humanOf, type HumanPrincipal } from '../principal';

/** Accounts without a door: what depends on the address and the settings of the server. */
async function accessOf(config: { publicUrl?: URL; passwordSignIn?: boolean; oidc?: OidcConfig }): Promise<Access> {
  const { publicUrl, ...rest } = config;
  const store = await tempStore();
  const access = await createAccess({
    ...{ store, passwordCost: 4 },
    config: { host: '127.0.0.1', publicUrl, apiKey: undefined, ...rest },
  });
  access.listening(7400);
  return access;
}

it("[T1] over TLS better-auth's cookies have the __Host- prefix, too", async () => {
  const access = await accessOf({ publicUrl: new URL('https://wheel.example.com') });
  const asked = (host: string) => access.passkeys.challenge({ headers: { host }, address: '203.0.113.7' });

  expect((await asked('wheel.example.com')).setCookies).toEqual([
    expect.stringMatching(
      /^__Host-wh_auth\.better-auth-passkey=[^;]+; Max-Age=300; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    ),
  ]);
  expect((await asked('localhost:7400')).setCookies).toEqual([
    expect.stringMatching(/^wh_auth_7400\.better-auth-passkey=[^;]+; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax$/),
  ]);
});

it('[AU2] the provider is a way to sign in only where the server has it', async () => {
  const store = await tempStore();
  const { workspace } = await store.people.ensureOwner({ workspace: 'Home', owner: 'Owner' }, new Date());
  const { id } = await store.people.add({ workspace, name: 'Ada', role: 'member' }, new Date());
  const issuer = 'https://id.example.com';
  await store.accounts.addProvider(id, `${issuer} ada`, new Date());
  const left = async (oidc?: OidcConfig) => {
    const config = { host: '127.0.0.1', publicUrl: undefined, apiKey: undefined, oidc };
    const { accounts } = await createAccess({ store, config });
    return store.change((tables) => accounts.demandWayIn(tables, { person: id }));
  };
  const config = {
    issuer,
    clientId: 'wheelhouse',
    secret: new Secret('OIDC_CLIENT_SECRET', 'a secret'),
    domains: [],
    role: 'member',
  } as const;

  await expect(left(config)).resolves.toBeUndefined();
  await expect(left()).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(left({ ...config, issuer: 'https://id.example.org' })).rejects.toMatchObject({ code: 'CONFLICT' });
});

it('[AU2] where passwords are switched off none is checked, and the sign-in page shows none', async () => {
  const access = await accessOf({ passwordSignIn: false });
  const request = { headers: { host: '127.0.0.1:7400' }, address: '203.0.113.7' };
  const tried = access.accounts.signInByPassword({ email: 'ada@example.com', password: 'x' }, request);

  await expect(tried).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  expect(access.accounts.methods(request.headers).password).toBe(false);
  expect(access.accounts.hashes).toBe(0);
});

/** A person with a password, whose sign-ins are held right before they are stored. */
async function heldSignIns(mail?: Mail) {
  let hold: Promise<void> | undefined;
  let arrived = new Deferred();
  const store = disturbedStore(await tempStore(), async (what, reach) => {
    if (what === 'change' && hold) {
      const held = hold;
      hold = undefined;
      arrived.resolve();
      await held;
    }
    return reach();
  });
  const config = { host: '127.0.0.1', publicUrl: undefined, apiKey: undefined };
  const access = await createAccess({ store, passwordCost: 4, config, mail });
  access.listening(7400);
  const { workspace } = access.owner;
  const [email, password] = ['ada@example.com', 'the password of Ada'];
  const { id } = await store.people.add({ workspace, name: 'Ada', email, role: 'member' }, new Date());
  access.rights.apply({ kind: 'member', workspace, person: id, role: 'member' });
  await access.accounts.setPassword(id, password);
  const page = (cookies: readonly string[] = []) => ({
    headers: { host: '127.0.0.1:7400', cookie: cookies.map((one) => one.split(';')[0]).join('; ') },
    address: '127.0.0.1',
  });
  const signIn = () => access.accounts.signInByPassword({ email, password }, page());
  /** Begins a sign-in, and goes on with it after `meanwhile`. */
  const during = async (begin: () => Promise<unknown>, meanwhile: () => Promise<unknown>): Promise<unknown> => {
    const gate = new Deferred();
    arrived = new Deferred();
    hold = gate.promise;
    const ending = begin().then(
      () => 'signed in',
      (error: { code: string }) => error.code,
    );
    await arrived.promise;
    await meanwhile();
    gate.resolve();
    return ending;
  };
  const begin = (by: HumanPrincipal) => access.secondFactor.begin(by, password, page());
  const confirm = (by: HumanPrincipal, secret: string) => access.secondFactor.confirm(by, totp(secret), page());
  /** Turns codes on, and returns their secret. */
  const codes = async (by: HumanPrincipal): Promise<string> => {
    const { secret } = await begin(by);
    await confirm(by, secret);
    return secret;
  };
  const owner = async (): Promise<HumanPrincipal> => {
    const link = new URL(await access.authentication.issueLink());
    return (await access.authentication.redeem(link.searchParams.get('token') ?? '', page())).principal;
  };
  /** What the owner of the server does for a person who has lost their codes. */
  const reset = async (person: string): Promise<void> => access.secondFactor.reset(await owner(), person);
  return { access, store, id, page, signIn, during, password, begin, confirm, codes, owner, reset };
}

it('[AU2] a sign-in that is under way while its person gets a new password or signs out everywhere is not completed', async () => {
  const { access, store, id, page, signIn, during, password } = await heldSignIns();
  const first = await signIn();
  const by = humanOf(await access.authentication.requirePrincipal(page(first.setCookies)));
  const others = async () => (await access.signIns.list(by)).length;

  expect(await during(signIn, () => Promise.resolve())).toBe('signed in');
  expect(await during(signIn, () => access.signIns.endOthers(by))).toBe('UNAUTHENTICATED');
  expect(await others()).toBe(1);
  const choose = () =>
    access.accounts.changePassword(by, { password: 'another one of Ada', currentPassword: password }, page());
  expect(await during(signIn, choose)).toBe('UNAUTHENTICATED');
  expect(await others()).toBe(1);
  expect(await store.accounts.passwordOf(id)).toBeDefined();
});

it('[AU2] a sign-in that waits for a code ends with a new password and with signing out everywhere', async () => {
  const { access, page, signIn, password } = await heldSignIns();
  const first = await signIn();
  const by = humanOf(await access.authentication.requirePrincipal(page(first.setCookies)));
  const { secret, recoveryCodes } = await access.secondFactor.begin(by, password, page());
  await access.secondFactor.confirm(by, totp(secret), page());
  const code = async (step: number) => {
    const { setCookies } = await signIn();
    return () => access.secondFactor.signInByCode(totp(secret, step), page(setCookies));
  };
  const refused = { code: 'UNAUTHENTICATED', details: { again: 'password' } };

  const late = await code(1);
  await access.signIns.endOthers(by);
  await expect(late()).rejects.toMatchObject(refused);
  const { setCookies } = await signIn();
  await access.accounts.changePassword(by, { password: 'another one of Ada', currentPassword: password }, page());
  const [recovery = ''] = recoveryCodes;
  await expect(access.secondFactor.signInByRecoveryCode(recovery, page(setCookies))).rejects.toMatchObject(refused);
  expect(await access.signIns.list(by)).toHaveLength(1);
});

it('[T15] new passwords hold up nobody who signs in, and right passwords are counted, too', async () => {
  const { access, page, signIn, id } = await heldSignIns();
  const { accounts } = access;
  const known = page((await signIn()).setCookies);
  const again = () => accounts.signInByPassword({ email: 'ada@example.com', password: 'the password of Ada' }, known);
  const many = Array.from({ length: 21 }, (_, n) => accounts.hash(`password ${n}`).catch((error) => error.code));
  expect(await again()).toMatchObject({ kind: 'signedIn' });
  expect((await Promise.all(many)).filter((hash) => hash === 'RATE_LIMITED')).toHaveLength(1);

  for (let count = 1; count < 60; count += 1) await access.limits.hashesPerPerson.take(id);
  await expect(again()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  const by = humanOf(await access.authentication.requirePrincipal(known));
  await expect(accounts.demandProof(by, 'the password of Ada')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
});

it('[T15] challenges of passkeys have a place and a limit of their own', async () => {
  const { access, signIn, page } = await heldSignIns();
  const by = humanOf(await access.authentication.requirePrincipal(page((await signIn()).setCookies)));
  const { secret } = await access.secondFactor.begin(by, 'the password of Ada', page());
  await access.secondFactor.confirm(by, totp(secret), page());
  await signIn();
  const waiting = access.accounts.auth.pending;
  const stranger = { headers: { host: 'localhost:7400' }, address: '203.0.113.7' };
  await access.passkeys.challenge(stranger);
  expect(waiting).toBeGreaterThan(0);
  expect(access.accounts.auth.pending).toBe(waiting);
  for (let count = 1; count < 100; count += 1) await access.limits.passkeyChallengesPerAddress.take(stranger.address);
  await expect(access.passkeys.challenge(stranger)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
});

it('[T15] a browser that is known stays the same one when its person signs in again', async () => {
  const { access, signIn, page, store } = await heldSignIns();
  const { setCookies } = await signIn();
  const again = await access.accounts.signInByPassword(
    { email: 'ada@example.com', password: 'the password of Ada' },
    page(setCookies),
  );
  const known = (cookies: readonly string[]) => cookies.find((cookie) => cookie.startsWith('wh_known_'));
  expect(known(again.setCookies)).toBe(known(setCookies));
  const rows = await store.accounts.database.selectFrom('known_browsers').select('hash').execute();
  expect(rows).toHaveLength(1);
});

it('[T15] nothing is looked up for who forgot a password before they have the answer', async () => {
  const clock = new FakeClock();
  const server = { host: '127.0.0.1', port: 1, secure: false, user: undefined, password: undefined };
  const mail = new Mail({ config: { server, from: 'wheel@example.com' }, clock, logger: quietLogger });
  const { access, store } = await heldSignIns(mail);
  const links = () => store.accounts.database.selectFrom('sign_in_tokens').select('hash').execute();
  expect(await access.passwordLinks.forgotten('ada@example.com', { headers: {}, address: '203.0.113.7' })).toBe(true);
  expect(await links()).toEqual([]);
  clock.advance(200);
  await expect.poll(links).toHaveLength(1);
  mail.dispose();
});

it('[AU2] who loses their second factor meanwhile does not require one of a workspace', async () => {
  const { access, page, signIn, during, password, codes } = await heldSignIns();
  const by = humanOf(await access.authentication.requirePrincipal(page((await signIn()).setCookies)));
  await codes(by);
  const policy = { secondFactor: true };

  expect(
    await during(
      () => access.workspaces.change(by, { policy }),
      () => access.secondFactor.end(by, password),
    ),
  ).toBe('FORBIDDEN');
});

it('[AU2] a second factor that ends while it is set up does not count', async () => {
  const { access, id, page, signIn, during, begin, confirm, reset } = await heldSignIns();
  const by = humanOf(await access.authentication.requirePrincipal(page((await signIn()).setCookies)));
  const counts = () => access.rights.counts(by.credential.id);
  const { secret } = await begin(by);

  expect(
    await during(
      () => confirm(by, secret),
      () => reset(id),
    ),
  ).toBe('CONFLICT');
  expect(counts()).toBe(false);
  expect((await access.signIns.list(by)).map(({ secondFactor }) => secondFactor)).toEqual([undefined]);
});

it('[AU2][T9] codes that are turned on while their sign-in ends are off again', async () => {
  const { access, store, id, page, signIn, during, begin, confirm } = await heldSignIns();
  const by = humanOf(await access.authentication.requirePrincipal(page((await signIn()).setCookies)));
  const { secret } = await begin(by);

  expect(
    await during(
      () => confirm(by, secret),
      () => store.signIns.revokeAll(id, {}, new Date()),
    ),
  ).toBe('UNAUTHENTICATED');
  expect(access.rights.counts(by.credential.id)).toBe(false);
  expect((await store.accounts.factorsOf(id)).code).toBe(false);
});

it('[AU2] a code that was asked for before an admin reset the codes signs nobody in', async () => {
  const { access, id, page, signIn, during, codes, reset } = await heldSignIns();
  const by = humanOf(await access.authentication.requirePrincipal(page((await signIn()).setCookies)));
  const secret = await codes(by);
  const { setCookies } = await signIn();
  const late = () => access.secondFactor.signInByCode(totp(secret, 1), page(setCookies));

  expect(await during(late, () => reset(id))).toBe('UNAUTHENTICATED');
});

it('[T9] a second factor that is begun, and recovery codes that are renewed, while their sign-in ends are not there', async () => {
  const { access, store, id, page, signIn, during, password, begin, codes } = await heldSignIns();
  const { database } = store.accounts;
  const signedIn = async () => humanOf(await access.authentication.requirePrincipal(page((await signIn()).setCookies)));
  const by = await signedIn();
  const ended = () => store.signIns.revokeAll(id, {}, new Date());
  expect(await during(() => begin(by), ended)).toBe('UNAUTHENTICATED');
  expect(await database.selectFrom('auth_two_factor').select('id').execute()).toEqual([]);

  const again = await signedIn();
  await codes(again);
  const before = await store.accounts.recoveryCodesOf(id);
  const renew = () => access.secondFactor.renewRecoveryCodes(again, password, page());
  expect(await during(renew, ended)).toBe('UNAUTHENTICATED');
  expect([before, await store.accounts.recoveryCodesOf(id)]).toEqual([expect.any(String), before]);
});

it('[T9] the undo of codes of a sign-in that has ended spares those that another sign-in made meanwhile', async () => {
  const { access, store, id, page, signIn, during, password, begin, confirm } = await heldSignIns();
  const signedIn = async () => (await access.authentication.admitPerson(id, 'passkey', page())).principal;
  const [first, second, lasting] = [await signedIn(), await signedIn(), await signedIn()];
  const renew = (by: HumanPrincipal) => access.secondFactor.renewRecoveryCodes(by, password, page());
  const end = ({ person, credential }: HumanPrincipal) => store.signIns.revoke(person, credential.id, new Date());
  let secret = '';
  const begun = await during(
    () => begin(first),
    async () => {
      ({ secret } = await begin(lasting));
      await end(first);
    },
  );
  await confirm(lasting, secret);
  let codes: readonly string[] = [];
  const renewed = await during(
    () => renew(second),
    async () => {
      codes = await renew(lasting);
      await end(second);
    },
  );
  const { setCookies } = await signIn();

  expect([begun, renewed]).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED']);
  await access.secondFactor.signInByRecoveryCode(codes[0] ?? '', page(setCookies));
});

it('[AU2] a link for a password that somebody else made ends when its person needs a second factor from then on', async () => {
  const { access, store, id, page, owner } = await heldSignIns();
  const by = await owner();
  const link = async () => new URL((await access.passwordLinks.give(by, id)).url).hash.slice(1);
  const use = (token: string) => access.passwordLinks.use(token, 'a password of a thief', page());
  const [before, policy] = [await link(), { secondFactor: true }];
  await access.workspaces.change(by, { policy });
  await expect(use(before)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const since = await link();
  await access.workspaces.change(by, { policy });
  await use(since);

  const loose = await access.workspaces.create(by, 'Loose');
  const bob = await store.people.add(
    { workspace: loose.id, name: 'Bob', email: 'b@example.com', role: 'member' },
    new Date(),
  );
  const given = new URL((await access.passwordLinks.give({ ...by, workspace: loose.id }, bob.id)).url).hash.slice(1);
  const { url } = await access.invitations.create(by, { role: 'member' });
  await access.invitations.addMember(new URL(url).hash.slice(1), bob.id);
  await expect(use(given)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('[AU2] an admin who resets passkeys ends the sign-ins that were made by them, and no others', async () => {
  const { access, store, id, page, signIn, reset } = await heldSignIns();
  const by = humanOf(await access.authentication.requirePrincipal(page((await signIn()).setCookies)));
  const { principal } = await access.authentication.admitPerson(id, 'passkey', page());
  await sql`
    INSERT INTO auth_passkey ("id", "publicKey", "userId", "credentialID", "counter", "deviceType", "backedUp")
    VALUES ('a', '', ${id}, 'a', 0, 'singleDevice', 0)`.execute(store.accounts.database);
  await reset(id);

  expect([access.isLive(principal), access.isLive(by)]).toEqual([false, true]);
  expect(await store.accounts.passkeysOf(id)).toEqual([]);
});

it('[AU2][T15] after a new password only the browser that chose it is known', async () => {
  const { access, store, id, page, signIn, password, owner } = await heldSignIns();
  const [here, elsewhere] = [await signIn(), await signIn()];
  const by = humanOf(await access.authentication.requirePrincipal(page(here.setCookies)));
  const known = async () => {
    const browsers = [here, elsewhere].map(({ setCookies }) => page(setCookies).headers);
    return (await Promise.all(browsers.map((one) => access.authentication.knownBrowser(id, one)))).map(Boolean);
  };
  expect(await known()).toEqual([true, true]);
  const change = { password: 'another one of Ada', currentPassword: password };
  await access.accounts.changePassword(by, change, page(here.setCookies));
  expect(await known()).toEqual([true, false]);
  const { url } = await access.passwordLinks.give(await owner(), id);
  await access.passwordLinks.use(new URL(url).hash.slice(1), 'a third one of Ada', page(elsewhere.setCookies));
  expect(await known()).toEqual([false, false]);
  expect(await store.accounts.passwordOf(id)).toBeDefined();
});

it('[AU2] an address of OIDC_DOMAINS comes from the provider or an invitation for it, never from a form', async () => {
  const oidc = {
    issuer: 'https://id.example.com',
    clientId: 'w',
    secret: new Secret('S', 's'),
    domains: ['example.com'],
  };
  const access = await accessOf({ oidc: { ...oidc, role: 'member' } });
  const request = { headers: { host: '127.0.0.1:7400' }, address: '127.0.0.1' };
  const link = new URL(await access.authentication.issueLink());
  const owner = await access.authentication.redeem(link.searchParams.get('token') ?? '', request);
  const invited = async (email?: string) => {
    const { url } = await access.invitations.create(owner.principal, { role: 'member', email });
    return new URL(url).hash.slice(1);
  };
  const join = async (token: string, email: string) => access.joining.accept(token, { name: 'Eve', email }, request);
  const refused = { code: 'FORBIDDEN', message: expect.stringContaining('example.com') };

  await expect(join(await invited(), 'Boss@Example.com')).rejects.toMatchObject(refused);
  await expect(access.accounts.change(owner.principal, { email: 'boss@example.com' })).rejects.toMatchObject(refused);
  await access.accounts.change(owner.principal, { email: 'boss@example.org' });
  const { principal } = await join(await invited('eve@example.com'), 'eve@example.com');
  await access.accounts.change(principal, { email: 'EVE@example.com', name: 'Eve' });
});

it('[AU2] a newcomer whose sign-in cannot be stored has no account, and the invitation stays', async () => {
  const store = await tempStore();
  const access = await createAccess({
    ...{ store, passwordCost: 4 },
    config: { host: '127.0.0.1', publicUrl: undefined, apiKey: undefined },
  });
  access.listening(7400);
  const request = { headers: { host: '127.0.0.1:7400' }, address: '127.0.0.1' };
  const link = new URL(await access.authentication.issueLink());
  const owner = await access.authentication.redeem(link.searchParams.get('token') ?? '', request);
  const { url } = await access.invitations.create(owner.principal, { role: 'member' });
  const token = new URL(url).hash.slice(1);
  await sql`CREATE TRIGGER full BEFORE INSERT ON logins BEGIN SELECT RAISE(ABORT, 'full'); END`.execute(
    store.accounts.database,
  );
  const join = () => access.joining.accept(token, { name: 'Ada' }, request);
  await expect(join()).rejects.toThrow();
  expect(await store.people.members(access.owner.workspace)).toHaveLength(1);
  await sql`DROP TRIGGER full`.execute(store.accounts.database);

  const { principal } = await join();
  expect(access.rights.roleOf(principal.workspace, principal.person)).toBe('member');
  expect(principal).toMatchObject({ name: 'Ada' });
});
