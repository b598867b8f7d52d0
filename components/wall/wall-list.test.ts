import { describe, expect, it } from 'vitest';
import { aControl, after, ANA, anEvent, aSession, aTab, BOT, YOU } from '@/components/testing/views';
import {
  arrange,
  countFilters,
  countStates,
  filterChoices,
  needingAttention,
  NO_FILTER,
  rememberEntries,
  toEntry,
  type Sort,
  type WallFilter,
} from './wall-list';
import type { SessionView } from '@/lib/protocol/views';

const driven = (id: string, over: Partial<SessionView> = {}) =>
  aSession({ id, tabs: [aTab({ control: aControl(BOT) })], ...over });
const hung = aTab({ health: { state: 'hung', since: after(0), reason: '' }, control: aControl(BOT) });
const asks = aTab({ dialog: { id: 'd', type: 'alert', message: '', openedAt: after(0) } });

const SESSIONS = [
  driven('old', { createdAt: after(0), name: 'b', lastEvent: anEvent({ at: after(500) }) }),
  driven('new', { createdAt: after(90), name: 'c' }),
  aSession({ id: 'stuck', createdAt: after(10), tabs: [hung] }),
  aSession({ id: 'asks', createdAt: after(5), tabs: [asks] }),
  aSession({
    id: 'free',
    createdAt: after(30),
    name: 'a',
    browser: { id: 'b2', product: 'Chrome', origin: 'attached' },
  }),
];
const entries = SESSIONS.map((session) => toEntry(session, YOU.id));
const ids = (filter: Partial<WallFilter>, sort: Sort = 'newest') =>
  arrange(entries, { ...NO_FILTER, ...filter }, sort).map(({ session }) => session.id);

describe('arrange', () => {
  it('[ui: wall] "Needs you" and "Stuck" come first in every order', () => {
    expect(ids({}, 'newest')).toEqual(['asks', 'stuck', 'new', 'free', 'old']);
    expect(ids({}, 'name')).toEqual(['asks', 'stuck', 'free', 'old', 'new']);
    expect(ids({}, 'activity')).toEqual(['asks', 'stuck', 'old', 'new', 'free']);
  });

  it('keeps the order of busy sessions within a minute of activity', () => {
    const busy = [
      driven('a', { createdAt: after(1), lastEvent: anEvent({ at: after(70) }) }),
      driven('b', { createdAt: after(2), lastEvent: anEvent({ at: after(61) }) }),
    ];
    const order = arrange(
      busy.map((session) => toEntry(session, YOU.id)),
      NO_FILTER,
      'activity',
    ).map(({ session }) => session.id);
    expect(order).toEqual(['b', 'a']);
  });

  it('[ui: wall] filters by state, browser and driver, all at once', () => {
    expect(ids({ state: 'agent' })).toEqual(['new', 'old']);
    expect(ids({ browser: 'b2' })).toEqual(['free']);
    expect(ids({ driver: BOT.id })).toEqual(['stuck', 'new', 'old']);
    expect(ids({ driver: BOT.id, browser: 'b2' })).toEqual([]);
  });

  it('does not change the list it was given', () => {
    const before = entries.map(({ session }) => session.id);
    ids({}, 'name');
    expect(entries.map(({ session }) => session.id)).toEqual(before);
  });
});

describe('search', () => {
  const session = aSession({
    id: 'x',
    name: 'Checkout run',
    participants: [{ ...ANA, colour: 1, online: true, grants: [] }],
    tabs: [
      aTab({ title: 'Ｃart 购物车', url: 'https://shop.example/cart?id=7', control: aControl(BOT) }),
      aTab({ id: 't2', title: 'Terms', label: 'legal' }),
    ],
  });
  const finds = (search: string) =>
    arrange([toEntry(session, YOU.id)], { ...NO_FILTER, search }, 'newest').length === 1;

  it('[ui: wall] looks at titles, URLs, names, labels, agents and people of every tab', () => {
    for (const search of ['cart', 'SHOP.example', '购物', 'checkout', 'legal', 'terms', 'buyer', 'ana'])
      expect([search, finds(search)]).toEqual([search, true]);
  });

  it('wants every word, in any order', () => {
    expect(finds('run cart')).toBe(true);
    expect(finds('run flights')).toBe(false);
  });

  it('finds everything for nothing', () => {
    expect(finds('   ')).toBe(true);
  });
});

describe('counts', () => {
  it('[ui: wall] counts each state', () => {
    expect(countStates(entries)).toEqual({ help: 1, stuck: 1, human: 0, agent: 2, idle: 1 });
  });

  it('[ui: wall] names what calls for somebody, the most urgent first', () => {
    expect(needingAttention(entries).map(({ session }) => session.id)).toEqual(['asks', 'stuck']);
  });

  it('offers the drivers and browsers there are', () => {
    const { drivers, browsers } = filterChoices(entries, 'You');
    expect([...drivers]).toEqual([['bot', 'buyer-bot']]);
    expect([...browsers]).toEqual([
      ['b1', 'Chromium'],
      ['b2', 'Chrome'],
    ]);
    expect(countFilters({ ...NO_FILTER, driver: 'bot', browser: 'b2', state: 'agent' })).toBe(2);
  });
});

describe('toEntry', () => {
  it('shows the tab that the state is about', () => {
    const tabs = [aTab(), { ...hung, id: 't2' }];
    expect(toEntry(aSession({ tabs }), YOU.id).tab?.id).toBe('t2');
  });

  it('has no tab when the session has none', () => {
    expect(toEntry(aSession({ tabs: [] }), YOU.id).tab).toBeUndefined();
  });
});

describe('rememberEntries', () => {
  it('keeps the entry of a session that has not changed', () => {
    const entryOf = rememberEntries(YOU.id);
    const session = aSession();
    expect(entryOf(session)).toBe(entryOf(session));
    expect(entryOf({ ...session, version: 2 })).not.toBe(entryOf(session));
  });
});
