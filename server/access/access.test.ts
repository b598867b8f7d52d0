import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Secret } from '@/server/config/secret';
import { tempDir, tempStore } from '@/server/testing/temp-store';
import type { Store } from '@/server/store/store';
import { createAccess, type Access } from './access';
import type { Asker } from './principal';
import type { Headers } from './credential';
import { everywhere, GRANTS, grantSet, KEY_GRANTS } from '@/lib/rights/grants';
import { rightsOf } from '@/lib/rights/rights';
import type { Role } from '@/lib/rights/roles';
import { demand } from './may';
import { memberOf, type HumanPrincipal, type MemberPrincipal } from './principal';
import { SIGN_IN_LIFE_MS, TOKEN_LIFE_MS } from './authentication';

const address = '127.0.0.1';
const HOST = '127.0.0.1:7400';
const PRESET = 'preset-preset-preset-preset';

interface House {
  readonly access: Access;
  readonly store: Store;
  readonly dataDir: string;
  /** Wall clock of the house, milliseconds. */
  clock: { time: number };
}

async function fixture(options: { publicUrl?: URL; preset?: boolean; dataDir?: string } = {}): Promise<House> {
  const dataDir = options.dataDir ?? tempDir();
  const clock = { time: Date.parse('2026-01-01T00:00:00Z') };
  const now = (): Date => new Date(clock.time);
  const store = await tempStore({ dataDir, now });
  const apiKey = options.preset ? new Secret('WHEELHOUSE_API_KEY', PRESET) : undefined;
  const access = await createAccess({
    store,
    now,
    config: { host: '127.0.0.1', publicUrl: options.publicUrl, apiKey },
  });
  access.listening(7400);
  return { access, store, dataDir, clock };
}

const from = (headers: Headers) => ({ headers: { host: HOST, ...headers }, address });
const cookieOf = (setCookie: string): string => setCookie.split(';')[0] ?? '';

/** The owner, signed in: principal and `Cookie` header. */
async function signedIn(
  access: Access,
  headers: Headers = {},
): Promise<{ owner: HumanPrincipal; cookie: string; setCookie: string }> {
  const { principal, setCookies } = await access.authentication.redeem(
    await access.authentication.issueToken(),
    from(headers),
  );
  const [setCookie = ''] = setCookies;
  return { owner: principal, cookie: cookieOf(setCookie), setCookie };
}

describe('signing in', () => {
  it('[AU1] the start-up link signs the owner in with every grant', async () => {
    const { access } = await fixture();
    const link = await access.authentication.issueLink();
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:7400\/sign-in\?token=[A-Za-z0-9_-]{43}$/);
    const token = new URL(link).searchParams.get('token') ?? '';
    const { setCookies } = await access.authentication.redeem(token, from({}));
    const [setCookie = ''] = setCookies;
    expect(setCookie).toMatch(/^wh_7400=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/);
    const principal = await access.authentication.principalFromRequest(
      from({ cookie: `theme=dark; ${cookieOf(setCookie)}` }),
    );
    expect(principal).toMatchObject({
      kind: 'human',
      id: access.owner.id,
      name: 'Owner',
      workspace: access.owner.workspace,
      rights: rightsOf({ kind: 'person', id: access.owner.id, role: 'owner', server: true }, []),
      credential: { kind: 'cookie' },
    });
  });

  it("[T15] a browser that came by the link is known as its person's afterwards", async () => {
    const { access } = await fixture();
    const { setCookies } = await access.authentication.redeem(await access.authentication.issueToken(), from({}));
    const known = from({ cookie: setCookies.map(cookieOf).join('; ') });
    expect(await access.authentication.knownBrowser(access.owner.id, known.headers)).toEqual(expect.any(String));
    expect(await access.authentication.knownBrowser(access.owner.id, from({}).headers)).toBeUndefined();
  });

  it('[AU1] the link works once, even if two people open it at the same moment', async () => {
    const { access } = await fixture();
    const token = await access.authentication.issueToken();
    const results = await Promise.allSettled([1, 2, 3].map(() => access.authentication.redeem(token, from({}))));
    expect(results.map((result) => (result.status === 'fulfilled' ? 'in' : result.reason.code)).toSorted()).toEqual([
      'UNAUTHENTICATED',
      'UNAUTHENTICATED',
      'in',
    ]);
  });

  it('[AU1] the link lives an hour, the sign-in thirty days', async () => {
    const { access, clock } = await fixture();
    const token = await access.authentication.issueToken();
    const { cookie, owner } = await signedIn(access);
    clock.time += TOKEN_LIFE_MS;
    await expect(access.authentication.redeem(token, from({}))).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      hint: expect.stringContaining('fresh link'),
    });
    clock.time += SIGN_IN_LIFE_MS - TOKEN_LIFE_MS - 1;
    await expect(access.authentication.principalFromRequest(from({ cookie }))).resolves.toMatchObject({ id: owner.id });
    clock.time += 1;
    await expect(access.authentication.principalFromRequest(from({ cookie }))).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
    expect(
      access.may(owner, 'watch', { kind: 'session', id: 's_1', session: 's_1', workspace: owner.workspace }),
    ).toMatchObject({
      code: 'UNAUTHENTICATED',
    });
  });

  it('[AU1] a sign-in outlives the server', async () => {
    const dataDir = tempDir();
    const first = await tempStore({ dataDir });
    const config = { host: '127.0.0.1', publicUrl: undefined, apiKey: undefined };
    const before = await createAccess({ store: first, config });
    before.listening(7400);
    const { cookie, owner } = await signedIn(before);
    await first.close();
    const after = await createAccess({ store: await tempStore({ dataDir }), config });
    after.listening(7400);
    await expect(after.authentication.principalFromRequest(from({ cookie }))).resolves.toMatchObject({
      id: owner.id,
      workspace: owner.workspace,
    });
  });

  it('[T15] guesses are counted by address and stop being looked at', async () => {
    const { access } = await fixture();
    const codes: string[] = [];
    for (let guess = 0; guess < 32; guess += 1) {
      await access.authentication
        .redeem(`guess${guess}`, from({}))
        .catch((error: { code: string }) => codes.push(error.code));
    }
    expect(codes.filter((code) => code === 'UNAUTHENTICATED')).toHaveLength(30);
    expect(codes.slice(30)).toEqual(['RATE_LIMITED', 'RATE_LIMITED']);
  });

  it('[T1] behind TLS the cookie has the __Host- prefix, and a cookie without it is ignored', async () => {
    const { access } = await fixture({ publicUrl: new URL('https://wheel.example.com') });
    const secure = await signedIn(access, { host: 'wheel.example.com' });
    expect(secure.setCookie).toMatch(/^__Host-wh=[^;]+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/);
    const plain = await signedIn(access);
    expect(
      await access.authentication.principalFromRequest(from({ host: 'wheel.example.com', cookie: plain.cookie })),
    ).toBeUndefined();
    expect(
      await access.authentication.principalFromRequest(from({ host: 'wheel.example.com', cookie: secure.cookie })),
    ).toMatchObject({ kind: 'human' });
  });

  it('[R1] a key and a cookie together, two cookies, or a strange header are refused', async () => {
    const { access } = await fixture({ preset: true });
    const { cookie } = await signedIn(access);
    const bad: Headers[] = [
      { cookie, authorization: `Bearer ${PRESET}` },
      { cookie: `${cookie}; ${cookie}` },
      { cookie: `${cookie}; wh_7400=planted` },
      { authorization: `Basic ${PRESET}` },
      { authorization: 'Bearer' },
      { authorization: `Bearer ${PRESET} ${PRESET}` },
      { authorization: [`Bearer ${PRESET}`, `Bearer ${PRESET}`] },
      { authorization: 'Bearer wrong' },
      { authorization: `Bearer wh_${'a'.repeat(43)}` },
      { cookie: 'wh_7400=' },
      { cookie: 'wh_7400=wrong' },
    ];
    const codes = await Promise.all(
      bad.map((headers) =>
        access.authentication.principalFromRequest(from(headers)).then(
          () => 'in',
          (error: { code: string }) => error.code,
        ),
      ),
    );
    expect(codes).toEqual(bad.map(() => 'UNAUTHENTICATED'));
  });

  it('[R1] the cookie of another port, or no credential, identifies nobody', async () => {
    const { access } = await fixture();
    const { cookie } = await signedIn(access);
    expect(
      await access.authentication.principalFromRequest(from({ cookie: cookie.replace('wh_7400', 'wh_7401') })),
    ).toBeUndefined();
    expect(await access.authentication.principalFromRequest(from({}))).toBeUndefined();
    await expect(access.authentication.requirePrincipal(from({}))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('[R3] signing out ends the sign-in everywhere at once', async () => {
    const { access } = await fixture();
    const { owner, cookie } = await signedIn(access);
    const ended: unknown[] = [];
    access.onRevoked((credential) => ended.push(credential));
    expect(await access.authentication.signOut(owner, { host: HOST })).toMatch(
      /^wh_7400=; Path=\/; Max-Age=0; HttpOnly/,
    );
    expect(ended).toEqual([owner.credential]);
    expect(
      access.may(owner, 'watch', { kind: 'workspace', id: owner.workspace, workspace: owner.workspace }),
    ).toMatchObject({ ok: false, code: 'UNAUTHENTICATED' });
    await expect(access.authentication.principalFromRequest(from({ cookie }))).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
  });

  it('[AU6] host, origin and fetch metadata are read from the request itself', async () => {
    const { access } = await fixture();
    const { cookie } = await signedIn(access);
    const ask = (method: string, headers: Headers, upgrade = false): boolean =>
      access.authentication.checkRequest({ method, headers, upgrade }).ok;
    expect([
      ask('POST', { host: HOST, cookie, origin: `http://${HOST}`, 'sec-fetch-site': 'same-origin' }),
      ask('POST', { host: HOST, cookie }),
      ask('GET', { host: HOST, cookie }, true),
      ask('GET', {
        host: HOST,
        cookie,
        'sec-fetch-site': 'same-site',
        'sec-fetch-mode': 'no-cors',
        'sec-fetch-dest': 'image',
      }),
      ask('GET', { host: 'rebound.example:7400', cookie }),
      ask('POST', { host: HOST, authorization: 'Bearer x' }),
    ]).toEqual([true, false, false, false, false, true]);
  });
});

/** What a test's key has unless it says otherwise. */
const robotKey = { name: 'Robot', grants: ['watch'], sessions: 'workspace' } as const;

describe('keys', () => {
  it('[AU2] a key is shown once, stored as a hash, listed by its last characters and where it was used from, and works', async () => {
    const { access, dataDir } = await fixture();
    const { owner } = await signedIn(access);
    const { key, text } = await access.keys.create(owner, { ...robotKey, grants: ['watch', 'drive', 'watch'] });
    expect(text).toMatch(/^wh_[A-Za-z0-9_-]{43}$/);
    expect(key).toEqual({
      ...{ id: expect.stringMatching(/^k_/), name: 'Robot', hint: text.slice(-4), person: owner.person, madeBy: null },
      ...{ grants: ['watch', 'drive'], sessions: 'workspace', preset: false },
      ...{ createdAt: '2026-01-01T00:00:00.000Z', expiresAt: null, rotatedAt: null },
      ...{ lastUsedAt: null, lastUsedFrom: null },
    });
    const robot = await access.authentication.principalFromRequest(from({ authorization: `Bearer ${text}` }));
    expect(robot).toMatchObject({
      kind: 'agent',
      id: key.id,
      name: 'Robot',
      workspace: owner.workspace,
      rights: everywhere(['watch', 'drive']),
      credential: { kind: 'key', id: key.id },
    });
    const used = { lastUsedAt: '2026-01-01T00:00:00.000Z', lastUsedFrom: address };
    expect(await access.keys.list(owner)).toEqual([{ ...key, ...used }]);
    const files = ['wheelhouse.sqlite', 'wheelhouse.sqlite-wal'].map((file) => readFileSync(join(dataDir, file)));
    expect(files.map((bytes) => bytes.includes(text) || bytes.includes(text.slice(3)))).toEqual([false, false]);
  });

  it('[T14] neither tokens nor cookies nor the preset key are in the database file', async () => {
    const { access, dataDir } = await fixture({ preset: true });
    const token = await access.authentication.issueToken();
    const { setCookies } = await access.authentication.redeem(token, from({}));
    await access.authentication.requirePrincipal(from({ authorization: `Bearer ${PRESET}` }));
    const secrets = [token, ...setCookies.map((one) => cookieOf(one).split('=')[1] ?? ''), PRESET];
    const bytes = readFileSync(join(dataDir, 'wheelhouse.sqlite-wal'));
    expect(secrets.map((secret) => bytes.includes(secret))).toEqual([false, false, false, false]);
  });

  it('[CO10] X-Agent names the participant', async () => {
    const { access } = await fixture({ preset: true });
    const named = await access.authentication.principalFromRequest(
      from({ authorization: `bearer ${PRESET}`, 'x-agent': 'Shop bot 2' }),
    );
    expect(named).toMatchObject({
      kind: 'agent',
      id: 'k_preset/Shop bot 2',
      name: 'Shop bot 2',
      rights: { workspace: grantSet(KEY_GRANTS), server: true },
    });
  });

  it.each(['<b>x</b>', 'a/b', 'x'.repeat(41), 'a\u0000b', 'naïve', '-dash first', 'a,b', 'a"b'])(
    '[T12] X-Agent %j is refused',
    async (name) => {
      const { access } = await fixture({ preset: true });
      await expect(
        access.authentication.principalFromRequest(from({ authorization: `Bearer ${PRESET}`, 'x-agent': name })),
      ).rejects.toMatchObject({ code: 'BAD_REQUEST', message: expect.stringContaining('X-Agent') });
    },
  );

  it('[R3] a revoked key stops working at once, for open and for new connections', async () => {
    const { access } = await fixture();
    const { owner } = await signedIn(access);
    const { key, text } = await access.keys.create(owner, robotKey);
    const robot = memberOf(await access.authentication.requirePrincipal(from({ authorization: `Bearer ${text}` })));
    const thing = { kind: 'session', id: 's_1', session: 's_1', workspace: owner.workspace } as const;
    const ended: unknown[] = [];
    const stop = access.onRevoked((credential) => ended.push(credential));
    expect(access.may(robot, 'watch', thing)).toEqual({ ok: true });
    await access.keys.revoke(owner, key.id);
    stop();
    expect(access.may(robot, 'watch', thing)).toMatchObject({ ok: false, code: 'UNAUTHENTICATED' });
    expect(ended).toEqual([{ kind: 'key', id: key.id }]);
    await expect(
      access.authentication.principalFromRequest(from({ authorization: `Bearer ${text}` })),
    ).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
    await expect(access.keys.revoke(owner, key.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('[T6] a key cannot be revoked from another workspace', async () => {
    const { access } = await fixture();
    const { owner } = await signedIn(access);
    const { key } = await access.keys.create(owner, robotKey);
    await expect(access.keys.revoke({ ...owner, workspace: 'w_other' }, key.id)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await access.keys.list({ ...owner, workspace: 'w_other' })).toEqual([]);
  });

  it('[AU3] nobody can make a key with more rights than their own', async () => {
    const { access } = await fixture();
    const { owner } = await signedIn(access);
    const { text } = await access.keys.create(owner, { ...robotKey, grants: ['watch', 'manage'] });
    const robot = memberOf(await access.authentication.requirePrincipal(from({ authorization: `Bearer ${text}` })));
    await expect(access.keys.create(robot, { ...robotKey, grants: ['watch', 'evaluate'] })).rejects.toThrow(
      expect.objectContaining({ code: 'FORBIDDEN', details: { grant: 'evaluate' } }),
    );
  });

  it('[AU2] a key sees, makes and renews no key that has more than itself, sees more or lasts longer', async () => {
    const { access } = await fixture();
    const { owner } = await signedIn(access);
    const wide = await access.keys.create(owner, { ...robotKey, name: 'Wide', grants: ['watch', 'drive', 'keys'] });
    const small = { name: 'Small', grants: ['watch', 'keys'], sessions: 'own', expiresIn: 600 } as const;
    const { key, text } = await access.keys.create(owner, small);
    const robot = memberOf(await access.authentication.requirePrincipal(from({ authorization: `Bearer ${text}` })));
    const child = await access.keys.create(robot, { ...robotKey, sessions: 'own', expiresIn: 6_000 });
    const codes = await Promise.all(
      [
        access.keys.create(robot, { ...robotKey, grants: ['drive'], sessions: 'own' }),
        access.keys.create(robot, robotKey),
        access.keys.rotate(robot, wide.key.id),
        access.keys.change(robot, wide.key.id, { grants: ['watch'] }),
        access.keys.revoke(robot, wide.key.id),
        access.keys.change(robot, key.id, { sessions: 'workspace' }),
      ].map((call) =>
        call.then(
          () => 'done',
          (error: { code: string }) => error.code,
        ),
      ),
    );

    expect(codes).toEqual(['FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN']);
    expect(child.key.expiresAt).toBe(key.expiresAt);
    expect((await access.keys.list(robot)).map(({ name }) => name)).toEqual(['Small', 'Robot']);
    expect((await access.keys.list(owner)).map(({ name }) => name)).toEqual(['Wide', 'Small', 'Robot']);
  });

  it('[T9] a call of a key that waits behind a new text or a narrower reach of it leaves no key behind', async () => {
    const { access } = await fixture();
    const { owner } = await signedIn(access);
    const before = [
      (id: string) => access.keys.rotate(owner, id),
      (id: string) => access.keys.change(owner, id, { sessions: 'own' }),
      (id: string) => access.keys.change(owner, id, { name: 'Bee' }),
    ];
    const codes: string[] = [];
    for (const change of before) {
      const { key, text } = await access.keys.create(owner, { ...robotKey, grants: ['watch', 'keys'] });
      const robot = memberOf(await access.authentication.requirePrincipal(from({ authorization: `Bearer ${text}` })));
      await change(key.id);
      codes.push(
        await access.keys.create(robot, { ...robotKey, grants: ['watch'], sessions: 'own' }).then(
          () => 'done',
          (error: { code: string }) => error.code,
        ),
      );
    }
    expect(codes).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED', 'done']);
  });

  it('[AU2] of two people who change one key at once the second is told, and takes nothing back', async () => {
    const { access } = await fixture();
    const { owner } = await signedIn(access);
    const { key } = await access.keys.create(owner, { ...robotKey, grants: ['watch', 'drive'] });
    const both = await Promise.allSettled([
      access.keys.change(owner, key.id, { grants: ['watch'] }),
      access.keys.change(owner, key.id, { sessions: 'own' }),
    ]);
    expect(both).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: { code: 'CONFLICT' } }]);
    expect(await access.keys.list(owner)).toMatchObject([{ grants: ['watch'], sessions: 'workspace' }]);
  });

  it('[AU2] a key that another key made ends with it, and so does one that the changed or renewed one would not make', async () => {
    const { access } = await fixture();
    const { owner } = await signedIn(access);
    const first = { ...robotKey, grants: ['watch', 'drive', 'keys'] } as const;
    const robot = async (text: string): Promise<MemberPrincipal> =>
      memberOf(await access.authentication.requirePrincipal(from({ authorization: `Bearer ${text}` })));
    const family = async (): Promise<{ ids: string[]; all: MemberPrincipal[] }> => {
      const made = [await access.keys.create(owner, first)];
      for (const grants of [['watch', 'drive', 'keys'], ['watch']] as const)
        made.push(await access.keys.create(await robot(made.at(-1)?.text ?? ''), { ...robotKey, grants }));
      return { ids: made.map(({ key }) => key.id), all: await Promise.all(made.map(({ text }) => robot(text))) };
    };
    const live = ({ all }: { all: MemberPrincipal[] }): boolean[] => all.map((one) => access.isLive(one));
    const [revoked, renewed, narrowed, renamed] = [await family(), await family(), await family(), await family()];
    const madeBy = (await access.keys.list(owner)).slice(0, 3).map((key) => key.madeBy);
    await access.keys.revoke(owner, revoked.ids[0] ?? '');
    await access.keys.rotate(owner, renewed.ids[0] ?? '');
    await access.keys.change(owner, narrowed.ids[0] ?? '', { grants: ['watch', 'keys'] });
    await access.keys.change(owner, renamed.ids[0] ?? '', { name: 'Bee' });

    expect(madeBy).toEqual([null, revoked.ids[0], revoked.ids[1]]);
    expect([revoked, renewed, narrowed, renamed].map(live)).toEqual([
      [false, false, false],
      [false, false, false],
      [false, false, false],
      [true, true, true],
    ]);
    expect((await access.keys.list(owner)).map(({ id }) => id)).toEqual([
      ...[renewed.ids[0], narrowed.ids[0], ...renamed.ids],
    ]);
  });

  it('[AU2] the keys that the preset key made end when it is not set any more', async () => {
    const { access, dataDir, store } = await fixture({ preset: true });
    const preset = memberOf(await access.authentication.requirePrincipal(from({ authorization: `Bearer ${PRESET}` })));
    const { key } = await access.keys.create(preset, robotKey);
    const { owner } = await signedIn(access);
    const kept = await access.keys.create(owner, robotKey);
    await store.close();
    const after = await fixture({ dataDir });
    const ended = await after.access.keys.endPreset();

    expect(ended).toEqual([
      { kind: 'key', id: 'k_preset' },
      { kind: 'key', id: key.id },
    ]);
    expect((await after.access.keys.list(owner)).map(({ id }) => id)).toEqual([kept.key.id]);
  });

  it('[AU2][T9] who has ended while they call leaves no key behind', async () => {
    const { access } = await fixture();
    const { owner } = await signedIn(access);
    const { key, text } = await access.keys.create(owner, { ...robotKey, grants: ['watch', 'keys'] });
    const robot = memberOf(await access.authentication.requirePrincipal(from({ authorization: `Bearer ${text}` })));
    await access.keys.revoke(owner, key.id);

    await expect(access.keys.create(robot, robotKey)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await access.keys.list(owner)).toEqual([]);
  });

  const personIn = async (
    { access, store }: { access: Access; store: Store },
    owner: Asker,
    role: Role,
  ): Promise<Asker> => {
    const { workspace } = owner;
    const { id } = await store.people.add({ workspace, name: role, role }, new Date());
    access.rights.apply({ kind: 'member', workspace, person: id, role });
    const rights = rightsOf({ kind: 'person', id, role, server: false }, []);
    return { ...owner, person: id, rights, credential: undefined };
  };

  it('[AU2] a member has keys of their own only, an admin those of the workspace', async () => {
    const made = await fixture();
    const { access } = made;
    const { owner } = await signedIn(access);
    const [member, admin] = [await personIn(made, owner, 'member'), await personIn(made, owner, 'admin')];
    const ofOwner = await access.keys.create(owner, { ...robotKey, name: 'Owned', grants: ['watch', 'manage'] });
    await access.keys.create(member, { ...robotKey, name: 'Member' });

    expect((await access.keys.list(member)).map(({ name }) => name)).toEqual(['Member']);
    expect((await access.keys.list(admin)).map(({ name }) => name).toSorted()).toEqual(['Member', 'Owned']);
    await expect(access.keys.revoke(member, ofOwner.key.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(access.keys.rotate(admin, ofOwner.key.id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(access.keys.create(member, { ...robotKey, grants: ['manage'] })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('[AU2] only its person, or the key that made it, renews or widens a key; people with `manage` narrow and revoke those of others', async () => {
    const made = await fixture();
    const { access } = made;
    const { owner } = await signedIn(access);
    const [member, admin] = [await personIn(made, owner, 'member'), await personIn(made, owner, 'admin')];
    const wanted = { name: 'Member', grants: ['watch', 'drive', 'keys'], sessions: 'own', expiresIn: 600 } as const;
    const { key, text } = await access.keys.create(member, wanted);
    const robot = memberOf(await access.authentication.requirePrincipal(from({ authorization: `Bearer ${text}` })));
    const sibling = await access.keys.create(member, { ...wanted, grants: ['watch'], expiresIn: 60 });
    const child = await access.keys.create(robot, { ...wanted, grants: ['watch'] });
    for (const wider of [
      { grants: ['watch', 'drive', 'files'] },
      { sessions: 'workspace' },
      { expiresIn: null },
    ] as const)
      await expect(access.keys.change(admin, key.id, wider)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    for (const [by, id] of [
      [admin, key.id],
      [robot, sibling.key.id],
    ] as const)
      await expect(access.keys.rotate(by, id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(access.keys.change(robot, sibling.key.id, { grants: ['watch', 'drive'] })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });

    expect(await access.keys.change(robot, child.key.id, { grants: ['watch', 'drive'] })).toMatchObject({
      grants: ['watch', 'drive'],
    });
    expect((await access.keys.rotate(robot, child.key.id)).text).not.toBe(child.text);
    expect(await access.keys.change(admin, key.id, { grants: ['watch'], expiresIn: 60 })).toMatchObject({
      grants: ['watch'],
    });
    expect((await access.keys.rotate(member, key.id)).text).not.toBe(text);
    await access.keys.revoke(admin, key.id);
    expect((await access.keys.list(member)).map(({ id }) => id)).toEqual([sibling.key.id]);
  });

  it('[AU6][BR7] a person has at most 20 keys', async () => {
    const { access } = await fixture();
    const { owner } = await signedIn(access);
    for (let number = 1; number <= 20; number += 1)
      await access.keys.create(owner, { ...robotKey, name: `Robot ${number}` });
    await expect(access.keys.create(owner, { ...robotKey, name: 'One more' })).rejects.toThrow(
      expect.objectContaining({ code: 'QUOTA', details: { limit: 20 } }),
    );
  });

  it('[AU2] the preset key is listed, and changed only where it is set', async () => {
    const { access } = await fixture({ preset: true });
    const { owner } = await signedIn(access);
    expect(await access.keys.list(owner)).toEqual([
      {
        ...{ id: 'k_preset', name: 'Preset key', hint: '', person: owner.person, grants: KEY_GRANTS, preset: true },
        ...{ madeBy: null, sessions: 'workspace', createdAt: null, expiresAt: null, rotatedAt: null },
        ...{ lastUsedAt: null, lastUsedFrom: null },
      },
    ]);
    const refusal = { code: 'CONFLICT', message: expect.stringContaining('WHEELHOUSE_API_KEY') };
    await expect(access.keys.revoke(owner, 'k_preset')).rejects.toMatchObject(refusal);
    await expect(access.keys.rotate(owner, 'k_preset')).rejects.toMatchObject(refusal);
    await expect(access.keys.change(owner, 'k_preset', { name: 'Mine' })).rejects.toMatchObject(refusal);
  });

  it('[AU2] a key ends when its time is over: for new callers, and at the next look for all that it has open', async () => {
    const { access, clock } = await fixture();
    const { owner } = await signedIn(access);
    const { key, text } = await access.keys.create(owner, { ...robotKey, expiresIn: 60 });
    const asked = from({ authorization: `Bearer ${text}` });
    const robot = await access.authentication.requirePrincipal(asked);
    const ended: unknown[] = [];
    access.onRevoked((credential) => ended.push(credential));
    const thing = { kind: 'workspace', id: owner.workspace, workspace: owner.workspace } as const;
    clock.time += 59_999;
    const before = access.may(robot, 'watch', thing);
    clock.time += 1;
    const after = [access.may(robot, 'watch', thing), access.may(robot, 'watch', thing)];
    await Promise.resolve();

    expect(key.expiresAt).toBe('2026-01-01T00:01:00.000Z');
    expect(before).toEqual({ ok: true });
    expect(after).toMatchObject([{ code: 'UNAUTHENTICATED' }, { code: 'UNAUTHENTICATED' }]);
    expect(ended).toEqual([{ kind: 'key', id: key.id }]);
    await expect(access.authentication.requirePrincipal(asked)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await access.keys.list(owner)).toEqual([]);
  });

  it('[AU2] a key with a new text keeps its rights, and its old text ends at once', async () => {
    const { access } = await fixture();
    const { owner } = await signedIn(access);
    const made = await access.keys.create(owner, robotKey);
    const robot = await access.authentication.requirePrincipal(from({ authorization: `Bearer ${made.text}` }));
    const { key, text } = await access.keys.rotate(owner, made.key.id);

    expect(key).toMatchObject({ id: made.key.id, hint: text.slice(-4), rotatedAt: '2026-01-01T00:00:00.000Z' });
    expect(access.isLive(robot)).toBe(false);
    await expect(
      access.authentication.requirePrincipal(from({ authorization: `Bearer ${made.text}` })),
    ).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
    const again = await access.authentication.requirePrincipal(from({ authorization: `Bearer ${text}` }));
    expect([again.id, access.isLive(again)]).toEqual([made.key.id, true]);
  });

  it('[AU2] a key that changes has what it was changed to, and what it has open ends unless only its name changes', async () => {
    const { access } = await fixture();
    const { owner } = await signedIn(access);
    const { key, text } = await access.keys.create(owner, { ...robotKey, grants: ['watch', 'drive'] });
    const robot = () => access.authentication.requirePrincipal(from({ authorization: `Bearer ${text}` }));
    const first = await robot();
    const named = await access.keys.change(owner, key.id, { name: 'Bee' });
    const live = access.isLive(first);
    const changed = await access.keys.change(owner, key.id, { grants: ['watch'], sessions: 'own', expiresIn: 60 });
    const second = await robot();

    expect([named.name, live, access.isLive(first)]).toEqual(['Bee', true, false]);
    expect(changed).toMatchObject({ name: 'Bee', grants: ['watch'], sessions: 'own' });
    expect(second.rights).toMatchObject({ workspace: new Set(['watch']), sessions: undefined });
    expect(second.expiresAt).toBe(Date.parse('2026-01-01T00:01:00Z'));
    expect(await access.keys.change(owner, key.id, { expiresIn: null })).toMatchObject({ expiresAt: null });
    await expect(access.keys.change(owner, key.id, { sessions: ['s_none'] })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('[T15] an agent with a wrong key is slowed down without locking the owner out', async () => {
    const { access } = await fixture({ preset: true });
    const codes: string[] = [];
    for (let guess = 0; guess < 31; guess += 1) {
      await access.authentication
        .principalFromRequest(from({ authorization: `Bearer guess${guess}` }))
        .catch((error: { code: string }) => codes.push(error.code));
    }
    expect(codes.at(-1)).toBe('RATE_LIMITED');
    await expect(
      access.authentication.requirePrincipal(from({ authorization: `Bearer ${PRESET}` })),
    ).resolves.toMatchObject({
      kind: 'agent',
    });
    await expect(signedIn(access)).resolves.toBeDefined();
  });
});

describe('may', () => {
  it('[T5] every grant decides alone, and a refusal names it', async () => {
    const { access } = await fixture();
    const { owner } = await signedIn(access);
    const thing = { kind: 'session', id: 's_1', session: 's_1', workspace: owner.workspace } as const;
    for (const had of GRANTS) {
      const narrow = { ...owner, rights: everywhere([had]) };
      const allowed = GRANTS.filter((wanted) => access.may(narrow, wanted, thing).ok);
      expect(new Set(allowed)).toEqual(grantSet([had]));
    }
    const nothing = { ...owner, rights: everywhere([]) };
    expect(() => demand(access.may(nothing, 'evaluate', thing))).toThrow(
      expect.objectContaining({
        code: 'FORBIDDEN',
        message: 'Owner may not run scripts in a page: that needs the grant "evaluate".',
        details: { grant: 'evaluate' },
      }),
    );
  });

  it('[T6] a thing of another workspace cannot be found, with any grants', async () => {
    const { access } = await fixture();
    const { owner } = await signedIn(access);
    const answers = GRANTS.map((grant) =>
      access.may(owner, grant, { kind: 'session', id: 's_1', session: 's_1', workspace: 'w_other' }),
    );
    expect(answers).toEqual(
      GRANTS.map(() => ({ ok: false, code: 'NOT_FOUND', message: { code: 'noSession', id: 's_1' } })),
    );
  });
});
