import { describe, expect, it } from 'vitest';
import { commentSchema, type Comment } from '@/lib/comments/comment';
import { tempSession, tempStore } from '@/server/testing/temp-store';
import type { Link, NewLink } from './links';
import type { Store } from './store';

const AT = new Date('2026-11-23T08:00:00.000Z');
const LATER = new Date('2026-11-23T09:00:00.000Z');
const END = new Date('2026-11-23T10:00:00.000Z');

interface Fixture {
  readonly store: Store;
  readonly workspace: string;
  readonly session: string;
  add(hash: string, more?: Partial<NewLink>): Promise<Link>;
}

async function fixture(): Promise<Fixture> {
  const store = await tempStore({ now: () => AT });
  const place = await tempSession(store);
  const [owner] = await store.people.members(place.workspace);
  const made = { tab: undefined, passcode: undefined, maxViewers: undefined, by: owner?.id ?? '', byKey: undefined };
  return {
    ...{ store, ...place },
    add: (hash, more = {}) =>
      store.links.add({ ...place, ...made, hash, grants: ['watch'], expiresAt: END, ...more }, AT),
  };
}

describe('links', () => {
  it('[AU4] are kept with what they give, by session, in their order', async () => {
    const { store, workspace, session, add } = await fixture();
    const one = await add('h1');
    const two = await add('h2', {
      tab: 't1',
      grants: ['watch', 'drive'],
      maxViewers: 3,
      passcode: 'scrypt$',
      byKey: 'k_1',
    });

    expect(await store.links.list(workspace, session)).toEqual([one, two]);
    expect(two).toMatchObject({
      tab: 't1',
      grants: ['watch', 'drive'],
      maxViewers: 3,
      passcode: 'scrypt$',
      byKey: 'k_1',
    });
    expect(one).toMatchObject({
      tab: undefined,
      passcode: undefined,
      maxViewers: undefined,
      wrong: 0,
      ended: undefined,
    });
    expect(await store.links.find(one.id)).toEqual(one);
    expect([await store.links.list('w_other', session), await store.links.find('sh_none')]).toEqual([[], undefined]);
  });

  it('[AU4] that have ended say why, are changed no more, and end once', async () => {
    const { store, workspace, add } = await fixture();
    const { id } = await add('h1');
    const other = await add('h2');
    const ended = [
      await store.links.end('w_other', id, 'revoked', LATER),
      await store.links.end(workspace, id, 'maker', LATER),
      await store.links.end(workspace, id, 'revoked', LATER),
    ];

    expect(ended).toEqual([false, true, false]);
    expect(await store.links.find(id)).toMatchObject({ ended: { at: LATER.toISOString(), why: 'maker' } });
    expect(await store.links.change(workspace, id, { grants: ['watch', 'drive'] })).toBeUndefined();
    expect(await store.links.open()).toEqual([other]);
  });

  it('[AU4] change what is named, and count wrong tries', async () => {
    const { store, workspace, add } = await fixture();
    const { id } = await add('h1', { passcode: 'old', maxViewers: 5 });
    await store.links.countWrong(id);
    await store.links.countWrong(id);

    expect(await store.links.change(workspace, id, {})).toMatchObject({ passcode: 'old', maxViewers: 5, wrong: 2 });
    const wanted = { grants: ['watch', 'files'], expiresAt: LATER, maxViewers: null, passcode: null } as const;
    expect(await store.links.change(workspace, id, wanted)).toMatchObject({
      ...{ grants: ['watch', 'files'], expiresAt: LATER.toISOString(), maxViewers: undefined, passcode: undefined },
    });
    expect(await store.links.change('w_other', id, { grants: ['watch'] })).toBeUndefined();
  });

  it('[AU4] have guests, who must open a link again when its passcode changes', async () => {
    const { store, workspace, add } = await fixture();
    const { id: link } = await add('h1');
    const who = { workspace, link, address: '203.0.113.9' };
    const mia = await store.links.addGuest({ ...who, hash: 'g1', name: 'Mia' }, AT);
    const noa = await store.links.addGuest({ ...who, hash: 'g2', name: '2' }, LATER);
    await store.links.nameGuest(workspace, noa.id, 'Noa');
    await store.links.seen(workspace, noa.id, '203.0.113.10', END);

    expect(mia).toMatchObject({ name: 'Mia', lastSeenAt: AT.toISOString(), endedAt: undefined });
    expect(await store.links.guests(workspace, link)).toEqual([
      mia,
      { ...noa, name: 'Noa', address: '203.0.113.10', lastSeenAt: END.toISOString() },
    ]);
    expect(await store.links.endGuests(workspace, link, END)).toEqual([mia.id, noa.id]);
    expect(await store.links.endGuests(workspace, link, END)).toEqual([]);
    expect(await store.links.guest('g1')).toMatchObject({ id: mia.id, endedAt: END.toISOString() });
    expect(await store.links.guest('g3')).toBeUndefined();
  });
});

describe('comments', () => {
  const comment = (seq: number): Comment =>
    commentSchema.parse({
      ...{ id: `c_${seq}`, seq, tab: 't1', text: 'Look', by: { id: 'p_1', name: 'Ada', kind: 'human' } },
      ...{ at: AT.toISOString(), mentions: [], forAgents: true },
    });

  it('[TL3] are kept in their order with their present state', async () => {
    const { store, workspace, session } = await fixture();
    const place = { workspace, session };
    await store.comments.save(place, [comment(2), comment(1)]);
    const resolved = { ...comment(1), resolved: { by: comment(1).by, at: LATER.toISOString() } };
    await store.comments.save(place, [resolved]);

    expect(await store.comments.list(place)).toEqual([resolved, comment(2)]);
    await store.comments.save(place, [comment(3)], [comment(1).id]);
    expect(await store.comments.list(place)).toEqual([comment(2), comment(3)]);
    expect(await store.comments.list({ workspace: 'w_other', session })).toEqual([]);
  });

  it('[TL3] an agent that has got one is remembered, however often that is said, until it is forgotten', async () => {
    const { store, workspace, session } = await fixture();
    const place = { workspace, session };
    await store.comments.deliver(place, 'k_1', ['c_1', 'c_2']);
    await store.comments.deliver(place, 'k_1', ['c_2']);
    await store.comments.deliver(place, 'k_2', []);
    await store.comments.deliver(place, 'k_1/bot', ['c_1']);

    expect(await store.comments.delivered(place)).toEqual(
      new Map([
        ['k_1', new Set(['c_1', 'c_2'])],
        ['k_1/bot', new Set(['c_1'])],
      ]),
    );
    expect(await store.comments.delivered({ workspace: 'w_other', session })).toEqual(new Map());
    await store.comments.forget({ workspace: 'w_other', session }, { agent: 'k_1' });
    await store.comments.forget(place, { agent: 'k_1/bot' });
    await store.comments.forget(place, { comments: ['c_1'] });
    expect(await store.comments.delivered(place)).toEqual(new Map([['k_1', new Set(['c_2'])]]));
  });
});
