import { describe, expect, it, onTestFinished } from 'vitest';
import { FakeClock } from '@/lib/budget/fake-clock';
import { asWheelhouseError } from '@/lib/errors/error';
import { grantsIn } from '@/lib/rights/grants';
import { disturbedStore, refusal, type Disturb } from '@/server/testing/disturbed-store';
import { tempDir, tempSession, tempStore } from '@/server/testing/temp-store';
import type { Store } from '@/server/store/store';
import { createAccess, type Access } from './access';
import type { Headers } from './credential';
import { linkOffer } from './link-views';
import type { LinkTerms } from './links';
import { memberOf, type GuestPrincipal, type HumanPrincipal, type MemberPrincipal, type Principal } from './principal';
import { hashToken, randomToken } from './tokens';

const HOST = '127.0.0.1:7400';
const SITE = { origin: `http://${HOST}`, host: HOST, secure: false };
const START = Date.parse('2026-11-23T08:00:00.000Z');
const HOUR_MS = 3_600_000;

interface Fixture {
  readonly store: Store;
  readonly access: Access;
  readonly owner: HumanPrincipal;
  readonly session: { readonly id: string; readonly name: string };
  /** Moves both clocks. */
  pass(ms: number): void;
  share(terms?: LinkTerms, by?: MemberPrincipal): Promise<Shared>;
  /**
   * Opens a link as a new browser does, as one with this cookie, or as a page that was reloaded: without the secret.
   */
  open(
    shared: Pick<Shared, 'id'> & Partial<Shared>,
    more?: { name?: string; passcode?: string; cookie?: string },
  ): Promise<Guest>;
  /** The guest as the doors see them now. */
  visit(guest: Guest, headers?: Headers): Promise<GuestPrincipal>;
  /** A server on the same data. */
  restart(): Promise<Access>;
}

interface Shared {
  readonly id: string;
  readonly secret: string;
}

interface Guest {
  readonly link: string;
  readonly guest: string;
  readonly cookie: string;
}

/** @param disturb handles the calls of the store */
async function fixture(disturb?: Disturb): Promise<Fixture> {
  const dataDir = tempDir();
  const time = { now: START };
  const now = (): Date => new Date(time.now);
  const clock = new FakeClock();
  const undisturbed = await tempStore({ dataDir, now });
  const store = disturb ? disturbedStore(undisturbed, disturb) : undisturbed;
  const { session } = await tempSession(store);
  const config = { host: '127.0.0.1', publicUrl: undefined, apiKey: undefined };
  const restart = async (): Promise<Access> => {
    const access = await createAccess({ store, config, now, clock, passwordCost: 4 });
    access.listening(7400);
    await access.links.load();
    onTestFinished(() => access.links.close());
    return access;
  };
  const access = await restart();
  const from = (headers: Headers, link?: string) => ({
    headers: { host: HOST, ...headers },
    address: '203.0.113.7',
    link,
  });
  const { principal: owner } = await access.authentication.redeem(await access.authentication.issueToken(), from({}));
  const about = { id: session, name: 'Shop' };
  return {
    ...{ store, access, owner, session: about, restart },
    pass: (ms) => {
      time.now += ms;
      clock.advance(ms);
    },
    share: async (terms = {}, by = owner) => {
      const { link, url } = await access.links.create(by, about, terms);
      return { id: link.id, secret: new URL(url).hash.slice(1) };
    },
    open: async ({ id, secret }, { cookie, ...more } = {}) => {
      const headers = cookie === undefined ? {} : { cookie };
      const opened = await access.links.open(id, { secret, ...more }, { ...from(headers), site: SITE });
      return { link: id, guest: opened.guest.id, cookie: opened.setCookie.split(';')[0] ?? '' };
    },
    visit: async ({ link, cookie }, headers = {}) => {
      const principal = await access.authentication.requirePrincipal(from({ cookie, ...headers }, link));
      if (principal.kind !== 'guest') throw new Error('This is no guest.');
      return principal;
    },
  };
}

/** A person of the workspace with this role, signed in. */
async function member({ store, access, owner }: Fixture, role: 'member' | 'viewer'): Promise<HumanPrincipal> {
  const token = randomToken();
  const { workspace } = owner;
  const now = new Date(START);
  const { id } = await store.change(async ({ people, signIns }) => {
    const person = await people.add({ workspace, name: 'Ada', role }, now);
    const expiresAt = new Date(START + 24 * HOUR_MS);
    await signIns.add({ workspace, person: person.id, hash: hashToken(token), factor: 'link', expiresAt }, now);
    return person;
  });
  access.rights.apply({ kind: 'member', workspace, person: id, role });
  const headers = { host: HOST, cookie: `wh_7400=${token}` };
  const principal = memberOf(await access.authentication.requirePrincipal({ headers, address: '' }));
  if (principal.kind !== 'human') throw new Error('This is no person.');
  return principal;
}

/** `in`, or the reason of a refusal. */
async function reasonOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
    return 'in';
  } catch (thrown) {
    const { code, details } = asWheelhouseError(thrown);
    return details?.['reason'] ?? details?.['grant'] ?? code;
  }
}

function missing(): never {
  throw new Error('There is none.');
}

const may = ({ id }: Fixture['session'], principal: Principal): string[] => [...grantsIn(principal, id)];

describe('a link', () => {
  it('[AU4] lets somebody without an account in, with its grants in one session and nothing else', async () => {
    const house = await fixture();
    const guest = await house.open(await house.share({ grants: ['watch', 'drive'] }), { name: 'Mia' });
    const principal = await house.visit(guest);

    expect(principal).toMatchObject({
      ...{ kind: 'guest', id: guest.guest, name: 'Guest: Mia', credential: { kind: 'link', id: guest.guest } },
      ...{ link: { id: guest.link, session: house.session.id, tab: undefined }, expiresAt: START + HOUR_MS },
    });
    expect(guest.guest).toMatch(/^g_/);
    expect(may(house.session, principal)).toEqual(['watch', 'drive']);
    expect([principal.rights.workspace.size, principal.rights.sessions, principal.rights.server]).toEqual([
      0,
      undefined,
      false,
    ]);
  });

  it('[T7] is opened by its whole address only; what is stored opens nothing', async () => {
    const house = await fixture();
    const shared = await house.share();
    const [stored] = await house.store.links.list(house.owner.workspace, house.session.id);
    const other = await house.share();
    const tries = [randomToken(), shared.secret.slice(1), `${shared.secret}x`, '', stored?.hash ?? '', other.secret];
    const reasons = await Promise.all(tries.map((secret) => reasonOf(house.open({ ...shared, secret }))));
    const guest = await house.open(shared);

    expect(reasons).toEqual(tries.map(() => 'unknown'));
    expect(await reasonOf(house.open({ ...shared, id: 'sh_none' }))).toBe('unknown');
    expect(JSON.stringify(stored)).not.toContain(shared.secret);
    expect(stored?.hash).toBe(hashToken(shared.secret));
    expect((await house.store.links.guests(house.owner.workspace, shared.id)).map(({ hash }) => hash)).toEqual([
      hashToken(guest.cookie.split('=')[1] ?? ''),
    ]);
  });

  it('[AU4] that is named leaves every other credential of the request unread', async () => {
    const house = await fixture();
    const guest = await house.open(await house.share());
    const { cookie: signedIn } = { cookie: `wh_7400=${randomToken()}` };
    const cookie = `${signedIn}; ${guest.cookie}`;

    expect(await house.visit({ ...guest, cookie }, { authorization: 'Bearer nonsense' })).toMatchObject({
      kind: 'guest',
      id: guest.guest,
    });
    expect(await reasonOf(house.visit({ ...guest, cookie: signedIn }))).toBe('unknown');
    expect(await reasonOf(house.visit({ ...guest, cookie: `${guest.cookie}; ${guest.cookie}` }))).toBe('unknown');
    expect(await reasonOf(house.visit({ ...guest, link: 'sh_none' }))).toBe('unknown');
    const own = { host: HOST, cookie: guest.cookie };
    expect(await reasonOf(house.access.authentication.requirePrincipal({ headers: own, address: '' }))).toBe(
      'UNAUTHENTICATED',
    );
  });

  it('[AU4] keeps a guest who opens it again, under the name that they pick', async () => {
    const house = await fixture();
    const shared = await house.share();
    const first = await house.open(shared);
    const again = await house.open(shared, { cookie: first.cookie, name: 'Noa' });
    const other = await house.open(shared);

    expect([again, other.guest === first.guest]).toEqual([first, false]);
    const names = await Promise.all([first, other].map(async (one) => (await house.visit(one)).name));
    expect(names).toEqual(['Guest: Noa', 'Guest: 2']);
  });

  it('[AU4] numbers guests without a name so that no two guests of a session read alike, whatever their links', async () => {
    const house = await fixture();
    const shared = await house.share();
    const nameIn = async (guest: Guest) => (await house.visit(guest)).name;
    const here = await nameIn(await house.open(shared));
    const besides = await house.share();
    await house.open(besides, { name: '2' });

    expect([here, await nameIn(await house.open(besides)), await nameIn(await house.open(shared))]).toEqual([
      'Guest: 1',
      'Guest: 3',
      'Guest: 4',
    ]);
  });

  it('[AU4] lets a guest who comes back without the secret go on under another name, by its cookie alone', async () => {
    const house = await fixture();
    const shared = await house.share({ passcode: 'mill' });
    const first = await house.open(shared, { passcode: 'mill' });
    const { id } = shared;
    const back = (cookie: string, link = id) => house.open({ id: link }, { cookie, name: 'Noa' });

    expect(await back(first.cookie)).toEqual(first);
    expect((await house.visit(first)).name).toBe('Guest: Noa');
    const other = await house.share();
    expect([
      await reasonOf(back('')),
      await reasonOf(back(`${first.cookie}; ${first.cookie}`)),
      await reasonOf(back(first.cookie, other.id)),
    ]).toEqual(['unknown', 'unknown', 'unknown']);
    await house.access.links.change(house.owner, house.session, id, { passcode: 'another' });
    expect(await reasonOf(back(first.cookie))).toBe('changed');
    await house.access.links.revoke(house.owner, house.session, id);
    expect(await reasonOf(back(first.cookie))).toBe('revoked');
  });

  it('[AU4] is never wider than its maker, in what they ask and in what they lose', async () => {
    const house = await fixture();
    const ada = await member(house, 'member');
    const viewer = await member(house, 'viewer');
    const shared = await house.share({ grants: ['watch', 'drive', 'files'] }, ada);
    const principal = await house.visit(await house.open(shared));
    const before = may(house.session, principal);
    const watchOnly = { ...accessOf(house), watchOnly: true, roles: new Map() };
    house.access.rights.apply({ kind: 'session', access: watchOnly });

    expect([await reasonOf(house.share({}, viewer)), await reasonOf(house.share({}, ada))]).toEqual(['share', 'share']);
    expect(before).toEqual(['watch', 'drive', 'files']);
    expect(may(house.session, principal)).toEqual([]);
    expect(house.access.isLive(principal)).toBe(false);
  });
});

const accessOf = ({ session, owner }: Fixture) => ({
  ...{ session: session.id, workspace: owner.workspace, owner: owner.person, key: undefined },
  ...{ open: 'workspace' as const },
});

describe('the end of a link', () => {
  it.each([
    ['revoked', (house: Fixture, { id }: Shared) => house.access.links.revoke(house.owner, house.session, id)],
    ['expired', async (house: Fixture) => house.pass(HOUR_MS)],
    [
      'session',
      async (house: Fixture) => house.access.rights.apply({ kind: 'session-ended', session: house.session.id }),
    ],
    [
      'maker',
      async (house: Fixture) => {
        const { workspace, person } = house.owner;
        house.access.rights.apply({ kind: 'member', workspace, person, role: 'viewer' });
      },
    ],
  ] as const)('[T9][AU4] %s: ends its guests at once, and says why, also after a restart', async (why, end) => {
    const house = await fixture();
    const shared = await house.share({ grants: ['watch', 'drive'] });
    const guest = await house.open(shared);
    const principal = await house.visit(guest);
    const ended: string[] = [];
    house.access.onRevoked(({ kind, id }) => void ended.push(`${kind} ${id}`));
    await end(house, shared);

    expect([ended, house.access.isLive(principal), may(house.session, principal)]).toEqual([
      [`link ${guest.guest}`],
      false,
      [],
    ]);
    expect([await reasonOf(house.visit(guest)), await reasonOf(house.open(shared))]).toEqual([why, why]);
    const later = await house.restart();
    const facts = { headers: { host: HOST, cookie: guest.cookie }, address: '', link: shared.id };
    expect(await reasonOf(later.authentication.requirePrincipal(facts))).toBe(why);
  });

  it('[T9][AU4] ends the guests of an earlier run, who have not come back yet', async () => {
    const house = await fixture();
    const shared = await house.share({ grants: ['drive'] });
    const guest = await house.open(shared);
    const later = await house.restart();
    const ended: string[] = [];
    later.onRevoked(({ kind, id }) => void ended.push(`${kind} ${id}`));
    await later.links.revoke(house.owner, house.session, shared.id);

    expect(ended).toEqual([`link ${guest.guest}`]);
  });

  it('[AU4] a wrong secret does not tell that a link has ended', async () => {
    const house = await fixture();
    const shared = await house.share();
    await house.access.links.revoke(house.owner, house.session, shared.id);

    expect(await reasonOf(house.open({ ...shared, secret: randomToken() }))).toBe('unknown');
  });

  it('[AU4] comes with the key that made it, and not before', async () => {
    const house = await fixture();
    const grants = ['watch', 'drive', 'share'] as const;
    const wanted = { name: 'Robot', grants, sessions: 'workspace', expiresIn: 600 } as const;
    const { key, text } = await house.access.keys.create(house.owner, wanted);
    const headers = { host: HOST, authorization: `Bearer ${text}` };
    const robot = memberOf(await house.access.authentication.requirePrincipal({ headers, address: '' }));
    const shared = await house.share({ grants: ['watch', 'drive'] }, robot);
    const guest = await house.open(shared);
    const principal = await house.visit(guest);
    const before = [
      principal.expiresAt,
      may(house.session, principal),
      await reasonOf(house.share({ grants: ['files'] }, robot)),
    ];
    const kept = await (await house.restart()).links.list(house.owner, house.session.id);
    const extended = await house.access.links.change(house.owner, house.session, shared.id, { expiresIn: 86_400 });
    await house.access.keys.revoke(house.owner, key.id);

    expect(before).toEqual([START + 600_000, ['watch', 'drive'], 'files']);
    expect(kept).toMatchObject([{ id: shared.id, ended: null }]);
    expect(Date.parse(extended.expiresAt)).toBe(START + 600_000);
    expect(await reasonOf(house.visit(guest))).toBe('maker');
  });

  it('[AU4] holds at once when it is changed: fewer grants, another end, another passcode', async () => {
    const house = await fixture();
    const shared = await house.share({ grants: ['watch', 'drive'], expiresIn: 7_200 });
    const guest = await house.open(shared);
    const principal = await house.visit(guest);
    const change = (terms: LinkTerms) => house.access.links.change(house.owner, house.session, shared.id, terms);
    await change({ grants: ['watch'] });
    const narrowed = [may(house.session, principal), house.access.isLive(principal)];
    await change({ passcode: 'open sesame' });
    const reopened = [await reasonOf(house.visit(guest)), await reasonOf(house.open(shared, { cookie: guest.cookie }))];
    const second = await house.open(shared, { passcode: 'open sesame' });
    await change({ expiresIn: 60 });
    house.pass(60_000);

    expect([narrowed, house.access.isLive(principal)]).toEqual([[['watch'], true], false]);
    expect(reopened).toEqual(['changed', 'passcode']);
    expect(await reasonOf(house.visit(second))).toBe('expired');
  });

  it('[AU4] that is given more time lasts as long in what is open, and in the cookie of its guests', async () => {
    const house = await fixture();
    const shared = await house.share({ expiresIn: 600 });
    const opened = await house.access.links.open(
      shared.id,
      { secret: shared.secret },
      { headers: { host: HOST }, address: '203.0.113.7', site: SITE },
    );
    const guest = { link: shared.id, guest: opened.guest.id, cookie: opened.setCookie.split(';')[0] ?? '' };
    const principal = await house.visit(guest);
    await house.access.links.change(house.owner, house.session, shared.id, { expiresIn: 7_200 });
    const offered = linkOffer(principal).expiresAt;
    house.pass(HOUR_MS);
    const later = [house.access.isLive(principal), may(house.session, principal), await reasonOf(house.visit(guest))];
    house.pass(HOUR_MS);

    expect(opened.setCookie).toContain(`; Max-Age=${7 * 86_400};`);
    expect(offered).toBe('2026-11-23T10:00:00.000Z');
    expect(later).toEqual([true, ['watch'], 'in']);
    expect([house.access.isLive(principal), await reasonOf(house.visit(guest))]).toEqual([false, 'expired']);
  });
});

describe('who comes in', () => {
  it('[AU4] are as many as the link allows; the place of one who has gone is free after a minute', async () => {
    const house = await fixture();
    const shared = await house.share({ maxViewers: 1 });
    const first = await house.open(shared);
    const leave = house.access.links.connect(await house.visit(first));
    house.pass(120_000);
    const full = await reasonOf(house.open(shared));
    leave();
    house.pass(60_000);
    const second = await house.open(shared);

    expect([full, await reasonOf(house.visit(first)), await reasonOf(house.visit(second))]).toEqual([
      'full',
      'full',
      'in',
    ]);
  });

  it('[AU4] are no more than that when they open it at one moment, or come back at one moment', async () => {
    const house = await fixture();
    const shared = await house.share({ maxViewers: 1 });
    const opened = await Promise.allSettled(Array.from({ length: 10 }, () => house.open(shared)));
    const { owner, session, access } = house;
    const guests = await house.store.links.guests(owner.workspace, shared.id);
    await access.links.change(owner, session, shared.id, { maxViewers: null });
    const two = await Promise.all([house.open(shared), house.open(shared)]);
    house.pass(60_000);
    await access.links.change(owner, session, shared.id, { maxViewers: 1 });
    const back = await Promise.all(two.map((one) => reasonOf(house.visit(one))));

    expect(opened.filter(({ status }) => status === 'fulfilled').length).toBe(1);
    expect(guests.length).toBe(1);
    expect(back.toSorted()).toEqual(['full', 'in']);
  });

  it('[AU4][T9] are put out, those who came last, when the link is changed to fewer', async () => {
    const house = await fixture();
    const shared = await house.share();
    const three = [await house.open(shared), await house.open(shared), await house.open(shared)];
    const guests = await Promise.all(three.map((one) => house.visit(one)));
    const leaves = guests.map((principal) => house.access.links.connect(principal));
    await house.access.links.change(house.owner, house.session, shared.id, { maxViewers: 2 });
    const live = guests.map((principal) => house.access.isLive(principal));
    const after = await Promise.all(three.map((one) => reasonOf(house.visit(one))));
    leaves[0]?.();
    house.pass(60_000);

    expect([live, after]).toEqual([
      [true, true, false],
      ['in', 'in', 'full'],
    ]);
    expect(await reasonOf(house.visit(three[2] ?? missing()))).toBe('in');
  });

  it('[AU4][BR7] are 500 at most, and make room for others where they opened the link and never came', async () => {
    const house = await fixture();
    const shared = await house.share();
    const { workspace } = house.owner;
    const come = await house.open(shared);
    house.pass(1);
    await house.visit(come);
    await house.store.change(async ({ links }) => {
      for (let at = 1; at < 500; at += 1)
        await links.addGuest({ workspace, link: shared.id, hash: `h${at}`, name: 'x', address: '' }, new Date(START));
    });
    const atOnce = await reasonOf(house.open(shared));
    house.pass(61_000);
    await house.visit(await house.open(shared));
    const guests = await house.store.links.guests(workspace, shared.id);

    expect([atOnce, guests.length, guests[0]?.id]).toEqual(['full', 2, come.guest]);
  });

  it('[T15] wrong passcodes are few, and do not keep out who comes from elsewhere', async () => {
    const house = await fixture();
    const shared = await house.share({ passcode: 'open sesame' });
    const tries: unknown[] = [];
    for (let at = 0; at < 12; at += 1) tries.push(await reasonOf(house.open(shared, { passcode: `guess ${at}` })));
    const elsewhere = { headers: { host: HOST }, address: '198.51.100.1', site: SITE };
    const opened = await house.access.links.open(
      shared.id,
      { secret: shared.secret, passcode: 'open sesame' },
      elsewhere,
    );

    expect(tries).toEqual([...Array.from({ length: 10 }, () => 'passcode'), 'RATE_LIMITED', 'RATE_LIMITED']);
    expect(await reasonOf(house.open(shared))).toBe('passcode');
    expect(opened.link.id).toBe(shared.id);
  });

  it('[T15] a hundred wrong passcodes, from wherever, let only those try who were in, until there is another', async () => {
    const house = await fixture();
    const { access, owner, session } = house;
    const shared = await house.share({ passcode: 'open sesame' });
    const mia = await house.open(shared, { passcode: 'open sesame' });
    const from = (address: string, passcode: string, cookie?: string) =>
      reasonOf(
        access.links.open(
          shared.id,
          { secret: shared.secret, passcode },
          { headers: { host: HOST, cookie }, address, site: SITE },
        ),
      );
    const tries: unknown[] = [];
    for (let at = 0; at < 102; at += 1) tries.push(await from(`198.51.100.${at}`, 'a guess'));
    const late = [await from('192.0.2.1', 'open sesame'), await from('192.0.2.1', 'open sesame', mia.cookie)];
    await access.links.change(owner, session, shared.id, { passcode: 'another' });

    expect(tries).toEqual([...Array.from({ length: 100 }, () => 'passcode'), 'RATE_LIMITED', 'RATE_LIMITED']);
    expect([...late, await from('192.0.2.1', 'another')]).toEqual(['RATE_LIMITED', 'in', 'in']);
  });

  it('[T15] a thousand wrong secrets count against the link, and hold up nobody who has the right one', async () => {
    const house = await fixture();
    const shared = await house.share();
    for (let at = 0; at < 1_000; at += 1) await reasonOf(house.open({ ...shared, secret: randomToken() }));
    const guest = await house.open(shared);
    const [seen] = await house.access.links.list(house.owner, house.session.id);

    expect(await reasonOf(house.visit(guest))).toBe('in');
    expect(seen).toMatchObject({ wrong: 30, uses: [{ guest: guest.guest, here: true }] });
  });
});

describe('the list of links', () => {
  it('[AU4] says who used them, when and roughly from where, to their maker and to moderators alone', async () => {
    const house = await fixture();
    const ada = await member(house, 'member');
    const own = await house.share({ maxViewers: 3 }, ada);
    await house.share({});
    await house.open(own, { name: 'Mia' });
    house.pass(90_000);
    const list = (by: MemberPrincipal) => house.access.links.list(by, house.session.id);

    expect((await list(house.owner)).length).toBe(2);
    expect(await list(ada)).toMatchObject([
      {
        ...{ id: own.id, session: house.session.id, tab: null, grants: ['watch'], maxViewers: 3, password: false },
        ...{ by: ada.person, ended: null, wrong: 0 },
        uses: [{ name: 'Mia', address: '203.0.113.x', firstAt: '2026-11-23T08:00:00.000Z', here: false }],
      },
    ]);
    expect(JSON.stringify(await list(house.owner))).not.toMatch(new RegExp(`${own.secret}|203\\.0\\.113\\.7`));
  });

  it('[T6] knows no link of another session or person: it cannot be changed or ended there', async () => {
    const house = await fixture();
    const ada = await member(house, 'member');
    const { id } = await house.share();
    const { links } = house.access;
    const elsewhere = { id: 's_other', name: 'Other' };

    expect([
      await reasonOf(links.revoke(house.owner, elsewhere, id)),
      await reasonOf(links.revoke(ada, house.session, id)),
      await reasonOf(links.change(ada, house.session, id, { grants: ['watch'] })),
      await reasonOf(links.revoke({ ...house.owner, workspace: 'w_other' }, house.session, id)),
    ]).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'UNAUTHENTICATED']);
    expect(await reasonOf(links.revoke(house.owner, house.session, id))).toBe('in');
    expect(await reasonOf(links.revoke(house.owner, house.session, id))).toBe('NOT_FOUND');
  });

  it('[BR7] keeps the hundred links of a session that ended last, with their guests', async () => {
    const house = await fixture();
    const { owner, session, access, store } = house;
    const first = await house.share();
    await house.open(first);
    const open = await house.share();
    const made: string[] = [];
    for (let at = 0; at < 101; at += 1) {
      const { id } = at === 0 ? first : await house.share();
      house.pass(1);
      await access.links.revoke(owner, session, id);
      made.push(id);
    }
    const { id: last } = await house.share();
    const ids = (await access.links.list(owner, session.id)).map(({ id }) => id);

    expect(ids.toSorted()).toEqual([open.id, ...made.slice(1), last].toSorted());
    expect(await store.links.guests(owner.workspace, first.id)).toEqual([]);
    expect(await reasonOf(house.open(first))).toBe('unknown');
  });

  it('[BR7] has fifty links of a session at most that are open', async () => {
    const house = await fixture();
    const all = await Promise.all(Array.from({ length: 50 }, () => house.share()));
    const full = await reasonOf(house.share());
    await house.access.links.revoke(house.owner, house.session, all[0]?.id ?? '');

    expect([full, await reasonOf(house.share())]).toEqual(['QUOTA', 'in']);
  });
});

it('[AU4] the old passcode lets nobody in who enters it while a new one is being set', async () => {
  const all = await fixture();
  const { access, owner, session, share, open } = all;
  const link = await share({ passcode: 'early' });
  const [changed, opened] = await Promise.allSettled([
    access.links.change(owner, session, link.id, { passcode: 'later' }),
    open(link, { passcode: 'early' }),
  ]);

  expect([changed.status, opened]).toMatchObject([
    'fulfilled',
    { status: 'rejected', reason: { code: 'UNAUTHENTICATED', details: { reason: 'passcode' } } },
  ]);
});

it('[AU4][T9] a link whose session ends while it is being made or changed opens nothing', async () => {
  const { access, owner, session, share, open } = await fixture();
  const made = await share();
  const changing = access.links.change(owner, session, made.id, { grants: ['drive'] });
  const making = share();
  access.rights.apply({ kind: 'session-ended', session: session.id });
  const late = await making;
  await changing.catch(() => undefined);
  const refused = await Promise.allSettled([open(made), open(late)]);

  expect(refused).toMatchObject([
    { reason: { details: { reason: 'session' } } },
    { reason: { details: { reason: 'session' } } },
  ]);
});

it('[AU4][F16] a store that cannot note a last use keeps out neither guests nor people nor keys', async () => {
  const refused = new Set<string>();
  let isBusy = false;
  const { access, owner, pass, share, open, visit } = await fixture(async (what, reach) => {
    if (!isBusy || !['links.seen', 'signIns.touch', 'apiKeys.touch'].includes(what)) return reach();
    refused.add(what);
    throw refusal();
  });
  const { text } = await access.keys.create(owner, { name: 'Robot', grants: ['watch'], sessions: 'workspace' });
  const { authentication } = access;
  const from = (headers: Headers) => ({ headers: { host: HOST, ...headers }, address: '' });
  const { setCookies } = await authentication.redeem(await authentication.issueToken(), from({}));
  const link = await share();
  const mia = await open(link);
  pass(90_000);
  isBusy = true;

  expect([
    await reasonOf(visit(mia)),
    await reasonOf(open(link, { cookie: mia.cookie })),
    await reasonOf(authentication.requirePrincipal(from({ cookie: setCookies[0]?.split(';')[0] ?? '' }))),
    await reasonOf(authentication.requirePrincipal(from({ authorization: `Bearer ${text}` }))),
  ]).toEqual(['in', 'in', 'in', 'in']);
  expect([...refused]).toEqual(['links.seen', 'signIns.touch', 'apiKeys.touch']);
});
