import { describe, expect, it } from 'vitest';
import type { ParticipantView } from '@/lib/protocol/views';
import { CURSOR_LIFE_MS, CursorBoard } from './cursors';
import { followedTab, rosterOf } from './standing';

describe('pointers', () => {
  it('[AU5] a viewer gets the last place of each, however many moves lay between', () => {
    const board = new CursorBoard();
    for (let x = 0; x < 1_000; x += 1) board.moved('p_ada', 't1', { x, y: 1 }, x);
    board.moved('p_bob', 't1', { x: 5, y: 6 }, 1_000);
    const first = board.news('t1', 0, 'p_me');

    expect(first.moved).toEqual([
      { who: 'p_ada', x: 999, y: 1 },
      { who: 'p_bob', x: 5, y: 6 },
    ]);
    expect(board.news('t1', first.change, 'p_me')).toEqual({ moved: [], gone: [], change: board.change });
    board.moved('p_bob', 't1', { x: 7, y: 6 }, 1_001);
    expect(board.news('t1', first.change, 'p_me').moved).toEqual([{ who: 'p_bob', x: 7, y: 6 }]);
  });

  it('[AU5] a viewer gets nothing of their own, and nothing of another tab but that somebody went there', () => {
    const board = new CursorBoard();
    board.moved('p_me', 't1', { x: 1, y: 1 }, 0);
    board.moved('p_ada', 't1', { x: 2, y: 2 }, 0);
    const { change } = board.news('t1', 0, 'p_me');
    board.moved('p_ada', 't2', { x: 3, y: 3 }, 1);

    expect(board.news('t1', change, 'p_me')).toMatchObject({ moved: [], gone: ['p_ada'] });
    expect(board.news('t2', change, 'p_me')).toMatchObject({ moved: [{ who: 'p_ada', x: 3, y: 3 }], gone: [] });
    board.gone('p_ada', 2);
    expect(board.news('t2', change, 'p_me')).toMatchObject({ moved: [], gone: ['p_ada'] });
  });

  it('[AU5] one that rests is gone after ten seconds', () => {
    const board = new CursorBoard();
    board.moved('p_ada', 't1', { x: 1, y: 1 }, 0);
    board.moved('p_bob', 't1', { x: 1, y: 1 }, 4_000);

    expect(board.fade(5_000)).toBe(CURSOR_LIFE_MS - 5_000);
    expect(board.fade(CURSOR_LIFE_MS)).toBe(4_000);
    expect(board.news('t1', 0, 'p_me')).toMatchObject({ moved: [{ who: 'p_bob' }], gone: ['p_ada'] });
    expect([board.fade(20_000), board.fade(20_000)]).toEqual([undefined, undefined]);
  });

  it('[AU5] a pointer that was never there does not go, and the board is bounded', () => {
    const board = new CursorBoard();
    board.gone('p_ada', 0);
    expect(board.change).toBe(0);
    for (let who = 0; who < 1_000; who += 1) board.moved(`p_${who}`, 't1', { x: 1, y: 1 }, who);
    expect(board.news('t1', 0, 'p_me').moved).toHaveLength(300);
  });
});

const person = (id: string, more: Partial<ParticipantView> = {}): ParticipantView => ({
  ...{ id, name: id, kind: 'human', colour: 1, online: true, grants: [], ...more },
});
const control = (holder?: string, asked?: string) => ({
  control: {
    holder: holder === undefined ? null : { id: holder, name: holder, kind: 'human' as const },
    ...(asked !== undefined && {
      asked: { by: { id: asked, name: asked, kind: 'human' as const }, ms: 1_000, passes: false },
    }),
  },
});

describe('the roster', () => {
  it('[AU5] says who drives, asks, raised a hand, may drive and only watches, in that order', () => {
    const all = [
      person('watcher'),
      person('away', { online: false }),
      person('second hand', { hand: '2026-11-23T08:00:02.000Z' }),
      person('able', { mayDrive: true }),
      person('first hand', { hand: '2026-11-23T08:00:01.000Z' }),
      person('asker', { mayDrive: true, hand: '2026-11-23T08:00:00.000Z' }),
      person('driver', { mayDrive: true }),
    ];
    const roster = rosterOf(all, [control('driver', 'asker'), control()]);

    expect(roster.map(({ participant: { id }, standing }) => `${id}: ${standing}`)).toEqual([
      'driver: drives',
      'asker: asks',
      'first hand: hand',
      'second hand: hand',
      'able: may-drive',
      'watcher: watches',
    ]);
  });

  it('[AU5] to follow somebody is to see their tab, until they leave', () => {
    const tabs = [{ id: 't1' }, { id: 't2' }];
    const follow = (more: Partial<ParticipantView>) => followedTab('p_ada', [person('p_ada', more)], tabs);

    expect([follow({ watching: 't2' }), follow({ watching: 't9' }), follow({})]).toEqual([
      { tab: 't2' },
      undefined,
      undefined,
    ]);
    expect([follow({ watching: 't2', online: false }), followedTab('p_bob', [], tabs)]).toEqual(['left', 'left']);
  });
});
