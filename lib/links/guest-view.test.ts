import { describe, expect, it } from 'vitest';
import type { SessionView, TabView, TimelineEvent } from '@/lib/protocol/views';
import { guestDownload, guestEvents, guestSessionView, isFileOfGuest } from './guest-view';

const ADA = { id: 'p_ada', name: 'Ada', kind: 'human' } as const;
const MIA = { id: 'g_mia', name: 'Guest: Mia', kind: 'human' } as const;
const SINCE = '2026-11-23T08:00:00.000Z';
const all = { id: 'g_mia', tab: undefined, since: SINCE };
const one = { ...all, tab: 't2' };

const row = (seq: number, more: Partial<TimelineEvent> = {}): TimelineEvent => ({
  ...{ seq, id: `e${seq}`, phase: 'event', at: `2026-11-23T08:00:0${seq}.000Z`, actor: ADA, door: 'ui' },
  ...{ tab: 't1', kind: 'navigation', text: `row ${seq}`, ...more },
});

const tab = (id: string, holder: typeof ADA | typeof MIA | null, more: Partial<TabView> = {}): TabView => ({
  ...{ id, targetId: `T-${id}`, url: `https://shop.example/pay?token=abc#part`, title: 'Shop', active: id === 't1' },
  health: { state: 'ready', since: SINCE, reason: '' },
  control: { state: holder ? 'held' : 'free', holder, epoch: 1, since: SINCE, reason: '', takenFrom: null },
  ...{ canGoBack: false, canGoForward: false, ...more },
});

const person = (id: string, name: string, online: boolean, watching?: string) => ({
  ...{ id, name, kind: 'human' as const, colour: 1, online, grants: ['watch', 'drive', 'manage'] },
  ...(watching !== undefined && { watching }),
});

const session = (): SessionView => ({
  ...{ id: 's_1', name: 'Shop', state: 'live', stateReason: '', createdAt: SINCE, isolation: 'context', version: 3 },
  browser: { id: 'b_secret', product: 'Chromium', origin: 'launched' },
  egress: { state: 'enforced', reason: 'secret' },
  access: { open: 'named', watchOnly: true },
  blocked: { requests: 7, alert: 'secret' },
  idle: { limitMs: 60_000 },
  viewport: { width: 800, height: 600 },
  activeTab: 't1',
  tabs: [tab('t1', ADA), tab('t2', MIA, { opener: 't1' })],
  participants: [
    person('p_ada', 'Ada', true, 't1'),
    person('p_bob', 'Bob, who is away', false, 't1'),
    person('g_mia', 'Guest: Mia', true, 't2'),
  ],
  lastEvent: row(9),
});

describe('what a guest sees of a session', () => {
  it('[AU4] is nothing of the workspace: no policies, no Chrome, nobody who is away, no rights of others', () => {
    const view = guestSessionView(session(), all);

    expect(JSON.stringify(view)).not.toMatch(/secret|away|enforced|watchOnly|T-t/);
    expect([view.access, view.egress, view.blocked, view.idle, view.browser.id]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      '',
    ]);
    expect(view.participants).toEqual([
      { id: 'p_ada', name: 'Ada', kind: 'human', colour: 1, online: true, grants: [], mayDrive: true, watching: 't1' },
      {
        ...{ id: 'g_mia', name: 'Guest: Mia', kind: 'human', colour: 1, online: true, grants: [], mayDrive: true },
        watching: 't2',
      },
    ]);
  });

  it('[AU4][T7] is no part of an address that may be a secret, except of a tab that they hold', () => {
    expect(guestSessionView(session(), all).tabs.map(({ url }) => url)).toEqual([
      'https://shop.example/pay',
      'https://shop.example/pay?token=abc#part',
    ]);
  });

  it('[AU4] is one tab where the link shows one: no other, nobody looking at another, no row of another', () => {
    const view = guestSessionView(session(), one);

    expect(view.tabs.map(({ id, opener }) => [id, opener])).toEqual([['t2', undefined]]);
    expect([view.activeTab, view.lastEvent]).toEqual(['t2', null]);
    expect(view.participants.map(({ id, watching }) => [id, watching])).toEqual([
      ['p_ada', undefined],
      ['g_mia', 't2'],
    ]);
    expect(guestSessionView(session(), { ...one, tab: 't9' })).toMatchObject({ tabs: [], activeTab: null });
  });
});

describe('what a guest sees of the timeline', () => {
  it('[AU4] are the rows since the link was made, of their tab, that are not about the server or its people', () => {
    const rows = [
      row(1, { at: '2026-11-23T07:59:59.999Z' }),
      row(2),
      row(3, { kind: 'session' }),
      row(4, { kind: 'refused' }),
      row(5, { kind: 'join', tab: undefined }),
      row(6, { kind: 'click', phase: 'outcome', tab: 't2' }),
      row(7, { kind: 'browser', tab: undefined }),
    ];

    expect(guestEvents(rows, all).map(({ seq }) => seq)).toEqual([2, 5, 6]);
    expect(guestEvents(rows, one).map(({ seq }) => seq)).toEqual([5, 6]);
  });

  it('[AU4] is without receipts, recorded input and pictures, and without queries in addresses', () => {
    const picture = { at: SINCE, sha256: 'x', width: 1, height: 1 };
    const said = { code: 'tabClosedNamed', title: 'https://a.example/x?secret=1' } as const;
    const [shown] = guestEvents(
      [
        row(2, {
          text: 'opened https://a.example/x?secret=1#y, then “https://b.example/?k=v”',
          said,
          picture,
          did: [],
        }),
      ],
      all,
    );

    expect(shown?.text).toBe('opened https://a.example/x then “https://b.example/”');
    expect(JSON.stringify(shown)).not.toMatch(/secret|sha256|did/);
  });
});

describe('the files that a guest has', () => {
  it('[AU4] are no traces, and of a link to one tab those that they put there or that their tab downloaded', () => {
    const files = [
      { from: 'trace', owner: 'g_mia', tabs: ['t2'] },
      { from: 'upload', owner: 'p_ada' },
      { from: 'upload', owner: 'g_mia' },
      { from: 'download', owner: 'p_ada', tabs: ['t1'] },
      { from: 'download', owner: 'p_ada', tabs: ['t7', 't2'] },
      { from: 'download' },
    ] as const;

    expect(files.map((file) => isFileOfGuest(file, all))).toEqual([false, true, true, true, true, true]);
    expect(files.map((file) => isFileOfGuest(file, one))).toEqual([false, false, true, false, true, false]);
  });

  it('[AU4] have no query in their address, and name no popup to who sees one tab', () => {
    const download = {
      ...({ id: 'dl1', name: 'a.pdf', url: 'https://shop.example/a?token=abc', state: 'done', tab: 't7' } as const),
      ...{ received: 1, total: 1, startedAt: SINCE },
    };

    expect([guestDownload(download, all), guestDownload(download, one)]).toEqual([
      { ...download, url: 'https://shop.example/a' },
      { ...download, url: 'https://shop.example/a', tab: 't2' },
    ]);
  });
});
