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
async function accessOf(config: { publicUrl?: URL; passwordSignIn?: boolean }): Promise<Access> {
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
  /** Turns codes on, and returns their secret. */
  const codes = async (by: HumanPrincipal): Promise<string> => {
    const { secret } = await access.secondFactor.begin(by, password, page());
    await access.secondFactor.confirm(by, totp(secret), page());
    return secret;
  };
  /** What the owner of the server does for a person who has lost their codes. */
  const reset = async (person: string): Promise<void> => {
    const link = new URL(await access.authentication.issueLink());
    const owner = await access.authentication.redeem(link.searchParams.get('token') ?? '', page());
    await access.secondFactor.reset(owner.principal, person);
  };
  return { access, store, id, page, signIn, during, password, codes, reset };
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
    access.accounts.changePassword(by, { password: 'another one of Ada', currentPassword: password });
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
  await access.accounts.changePassword(by, { password: 'another one of Ada', currentPassword: password });
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
  const { access, id, page, signIn, during, codes, reset } = await heldSignIns();
  const by = humanOf(await access.authentication.requirePrincipal(page((await signIn()).setCookies)));
  const counts = () => access.rights.counts(by.credential.id);

  expect(
    await during(
      () => codes(by),
      () => reset(id),
    ),
  ).toBe('CONFLICT');
  expect(counts()).toBe(false);
  expect((await access.signIns.list(by)).map(({ secondFactor }) => secondFactor)).toEqual([undefined]);
});

it('[AU2][T9] codes that are turned on while their sign-in ends are off again', async () => {
  const { access, store, id, page, signIn, during, codes } = await heldSignIns();
  const by = humanOf(await access.authentication.requirePrincipal(page((await signIn()).setCookies)));

  expect(
    await during(
      () => codes(by),
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
