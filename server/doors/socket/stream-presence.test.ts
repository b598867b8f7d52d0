import { describe, expect, it, onTestFinished } from 'vitest';
import { withBudget } from '@/lib/budget/budget';
import type { CursorNews } from '@/lib/presence/cursors';
import { everywhere } from '@/lib/rights/grants';
import type { HumanPrincipal } from '@/server/access/principal';
import { COMMENTS, comments } from '@/server/features/comments/comments';
import { PRESENCE, presence } from '@/server/features/presence/presence';
import type { Caller } from '@/server/session/caller';
import { ALL_VISIBLE } from '@/server/session/visibility';
import { aSession } from '@/server/testing/kernel';
import { CommentsFeed } from './comments-feed';
import { StreamPresence } from './stream-presence';

const caller = (id: string): Caller => {
  const principal: HumanPrincipal = {
    ...{ id, person: id, name: id, kind: 'human', workspace: 'w', rights: everywhere(['watch', 'drive']), rev: 0 },
    ...{ expiresAt: undefined, credential: { kind: 'cookie', id } },
  };
  return { principal, door: 'ui' };
};

/**
 * A session with these people in it, and what one of them gets of the others who point at the tab that they look at.
 */
async function together(...people: string[]) {
  const { session, clock } = await aSession(presence);
  onTestFinished(async () => {
    session.dispose();
    // The rows of who came and went are stored by then.
    await session.timeline.tell({ kind: 'session', said: { code: 'sessionOver' } });
  });
  const leaves = people.map((id) => session.join(caller(id)));
  const got: CursorNews[] = [];
  const window = { isShown: true, takes: true };
  const viewer = new StreamPresence(session, 'p_me', (_, news) => {
    if (window.takes) got.push(news);
    return window.takes;
  });
  viewer.show('t1', window);
  clock.advance(0);
  const point = (who: string, x: number, tab = 't1'): void => PRESENCE.of(session).point(who, tab, { x, y: 1 });
  const participant = (id: string) => session.view().participants.find((one) => one.id === id);
  return { session, clock, viewer, got, window, point, participant, leaves };
}

describe('pointers of others', () => {
  it('[AU5] come at once and then ten times a second, each with its last place; a tab that nobody points at sends nothing', async () => {
    const { clock, got, point } = await together('p_me', 'p_ada', 'p_bob');
    for (let x = 0; x < 50; x += 1) {
      point('p_ada', x);
      point('p_me', x);
      clock.advance(1);
    }
    point('p_bob', 7);
    clock.advance(99);
    clock.advance(9_000);
    const shown = [...got];
    clock.advance(1_000);

    expect(shown).toEqual([
      { moved: [{ who: 'p_ada', x: 0, y: 1 }], gone: [] },
      {
        moved: [
          { who: 'p_ada', x: 49, y: 1 },
          { who: 'p_bob', x: 7, y: 1 },
        ],
        gone: [],
      },
    ]);
    expect(got.slice(2).flatMap(({ gone }) => gone)).toEqual(['p_ada', 'p_bob']);
  });

  it('[AU5] who begins to look gets those that are there, and is told who goes to another tab or leaves', async () => {
    const { session, clock, viewer, got, point, leaves } = await together('p_me', 'p_ada', 'p_bob', 'p_eve');
    for (const who of ['p_ada', 'p_bob', 'p_eve']) point(who, 1, 't2');
    clock.advance(200);
    viewer.show('t2', { isShown: true });
    clock.advance(100);
    point('p_ada', 2);
    PRESENCE.of(session).point('p_eve', 't2', null);
    leaves[2]?.();
    clock.advance(100);
    point('p_bob', 3, 't2');
    clock.advance(100);

    expect(got.map(({ moved, gone }) => [moved.map(({ who }) => who), gone.toSorted()])).toEqual([
      [['p_ada', 'p_bob', 'p_eve'], []],
      [[], ['p_ada', 'p_bob', 'p_eve']],
    ]);
  });

  it('[AU5] the pointer of somebody with two windows stays when it leaves the tab where it is no more', async () => {
    const { session, clock, got, point } = await together('p_me', 'p_ada');
    point('p_ada', 1, 't2');
    point('p_ada', 2, 't1');
    PRESENCE.of(session).point('p_ada', 't2', null);
    clock.advance(200);

    expect(got).toEqual([{ moved: [{ who: 'p_ada', x: 2, y: 1 }], gone: [] }]);
  });

  it('[AU5] a connection that takes nothing gets the newest places once it does, and no place twice', async () => {
    const { clock, got, window, point } = await together('p_me', 'p_ada');
    window.takes = false;
    for (const x of [1, 2, 3]) {
      point('p_ada', x);
      clock.advance(150);
    }
    window.takes = true;
    clock.advance(1_000);

    expect(got).toEqual([{ moved: [{ who: 'p_ada', x: 3, y: 1 }], gone: [] }]);
  });

  it('[AU4][AU5] who sees no picture sees no pointer, and afterwards none of the time between', async () => {
    const { clock, viewer, got, window, point } = await together('p_me', 'p_ada', 'p_bob');
    const shown = (isShown: boolean): void => {
      window.isShown = isShown;
      viewer.shownChanged();
    };
    point('p_ada', 1);
    clock.advance(50);
    shown(false);
    const atOnce = got.slice(1);
    point('p_ada', 2);
    clock.advance(100);
    point('p_bob', 2);
    shown(true);
    clock.advance(100);
    point('p_bob', 3);
    clock.advance(100);

    expect(atOnce).toEqual([{ moved: [], gone: ['p_ada'] }]);
    expect(got.slice(2)).toEqual([{ moved: [{ who: 'p_bob', x: 3, y: 1 }], gone: [] }]);
  });

  it('[AU4][AU5] who sees no picture yet gets none of those that are there', async () => {
    const { clock, viewer, got, point } = await together('p_me', 'p_ada');
    const stream = { isShown: false };
    point('p_ada', 1, 't2');
    viewer.show('t2', stream);
    clock.advance(200);
    stream.isShown = true;
    viewer.shownChanged();
    clock.advance(200);
    point('p_ada', 2, 't2');
    clock.advance(200);

    expect(got).toEqual([{ moved: [{ who: 'p_ada', x: 2, y: 1 }], gone: [] }]);
  });

  it('[AU5] a page that is replaced under the same tab takes the pointers along that are there no more', async () => {
    const { session, clock, viewer, got, window, point } = await together('p_me', 'p_ada', 'p_bob');
    for (const who of ['p_ada', 'p_bob']) point(who, 1);
    clock.advance(200);
    PRESENCE.of(session).point('p_ada', 't1', null);
    viewer.show('t1', window);
    clock.advance(200);

    expect(got.slice(1)).toEqual([{ moved: [{ who: 'p_bob', x: 1, y: 1 }], gone: ['p_ada'] }]);
  });

  it('[AU5] nothing of them waits when the session is over, also when those who pointed leave it afterwards', async () => {
    const { session, clock, viewer, point, leaves } = await together('p_me', 'p_ada', 'p_bob');
    for (const who of ['p_ada', 'p_bob']) point(who, 1);
    session.dispose();
    viewer.dispose();
    for (const leave of leaves) leave();

    expect(clock.waiting).toBe(0);
  });

  it('[CO8][AU5] on a tab that somebody holds privately are seen by nobody, and those of before go', async () => {
    const { session, clock, got, point } = await together('p_me', 'p_ada');
    point('p_ada', 1);
    clock.advance(200);
    session.visibility = { ...ALL_VISIBLE, isHeldPrivately: (tab) => tab === 't1' };
    PRESENCE.of(session).hidden('t1');
    point('p_ada', 2);
    clock.advance(200);

    expect(got).toEqual([
      { moved: [{ who: 'p_ada', x: 1, y: 1 }], gone: [] },
      { moved: [], gone: ['p_ada'] },
    ]);
  });

  it('[AU5] end with the session of who points: somebody who is not in it points at nothing', async () => {
    const { clock, got, point } = await together('p_me');
    point('p_ada', 1);
    clock.advance(200);

    expect(got).toEqual([]);
  });

  it('[AU5] where somebody looks is the tab that their newest window shows', async () => {
    const { session, viewer, participant } = await together('p_me');
    const second = new StreamPresence(session, 'p_me', () => true);
    const looks: unknown[] = [participant('p_me')?.watching];
    second.show('t2');
    looks.push(participant('p_me')?.watching);
    second.dispose();
    looks.push(participant('p_me')?.watching);
    viewer.dispose();

    expect([...looks, participant('p_me')?.watching]).toEqual(['t1', 't2', 't1', undefined]);
  });
});

it('[BR7] to look at the tab that one looks at already changes nothing for the others', async () => {
  const { session, viewer } = await together('p_me');
  const before = session.version;
  const second = new StreamPresence(session, 'p_me', () => true);
  second.show('t1');
  second.dispose();
  const after = session.version;
  viewer.show('t2');

  expect([after - before, session.version - after]).toEqual([0, 1]);
});

describe('a raised hand', () => {
  it('[AU5] is shown until it is lowered, or its participant gets the wheel', async () => {
    const { session, participant } = await together('p_me', 'p_ada');
    const hand = (id: string): boolean => participant(id)?.hand !== undefined;
    const { leases } = session;
    await leases.opened('t1', undefined, undefined);
    for (const id of ['p_me', 'p_ada']) PRESENCE.of(session).raiseHand(caller(id), true);
    const raised = [hand('p_me'), hand('p_ada')];
    PRESENCE.of(session).raiseHand(caller('p_me'), false);
    const by = { id: 'p_ada', name: 'p_ada', kind: 'human' } as const;
    await withBudget({ timeoutMs: 1_000, clock: session.services.clock }, (budget) =>
      leases.apply(budget, { type: 'take', tab: 't1', by, scope: 'tab' }),
    );

    expect([...raised, hand('p_me'), hand('p_ada')]).toEqual([true, true, false, false]);
    expect(participant('p_ada')).toMatchObject({ mayDrive: true });
  });

  it('[AU5] outlasts a short loss of the connection, but not a minute; nobody raises one from outside', async () => {
    const { session, clock, participant, leaves } = await together('p_ada', 'p_bob');
    for (const id of ['p_ada', 'p_bob']) PRESENCE.of(session).raiseHand(caller(id), true);
    for (const leave of leaves) leave();
    clock.advance(10_000);
    session.join(caller('p_ada'));
    clock.advance(49_999);
    const before = session.version;
    const stillUp = participant('p_bob')?.hand;
    clock.advance(1);
    const told = session.version - before;
    const hands = ['p_ada', 'p_bob'].map((id) => participant(id)?.hand);
    session.join(caller('p_bob'));

    expect([stillUp, ...hands]).toEqual([expect.any(String), expect.any(String), undefined]);
    expect([told, participant('p_bob')?.hand]).toEqual([1, undefined]);
    expect(() => PRESENCE.of(session).raiseHand(caller('p_eve'), true)).toThrow(
      expect.objectContaining({ code: 'CONFLICT' }),
    );
  });
});

it('[TL3] a busy connection gets each changed comment once when it takes data again, and after two seconds at the latest', async () => {
  const { session, clock } = await aSession(comments);
  onTestFinished(() => session.dispose());
  const ada = caller('p_ada');
  const all = COMMENTS.of(session);
  const { id } = await withBudget({ timeoutMs: 10_000, clock }, (budget) =>
    all.add(budget, ada, 't1', { text: 'Look' }),
  );
  const sent: string[][] = [];
  const connection = {
    writable: false,
    isWritable: () => connection.writable,
    tell: (changed: { id: string }[]) => sent.push(changed.map((one) => one.id)),
  };
  const feed = new CommentsFeed(all, ada.principal, clock, connection);
  onTestFinished(() => feed.dispose());
  const pass = (ms: number): void => {
    for (let step = 0; step < ms / 100; step += 1) clock.advance(100);
  };
  all.tabChanged('t1');
  pass(300);
  all.tabChanged('t1');
  pass(300);
  const whileBusy = sent.length;
  connection.writable = true;
  pass(100);
  const free = [...sent];
  connection.writable = false;
  all.tabChanged('t1');
  pass(1_900);
  const waiting = sent.length;
  pass(100);

  expect([whileBusy, free, waiting, sent.length]).toEqual([0, [[id]], 1, 2]);
});
