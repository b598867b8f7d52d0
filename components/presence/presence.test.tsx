// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, renderHook, screen, within } from '@testing-library/react';
import { PathnameContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CockpitProvider, type Cockpit } from '@/components/cockpit/cockpit-context';
import type { Locale } from '@/components/messages/locale';
import { MessagesProvider } from '@/components/messages/provider';
import { SessionClientProvider } from '@/components/session-client/session-client-provider';
import { aCockpit } from '@/components/testing/cockpit';
import { aControl, aSession, aTab, ANA, BOT, YOU } from '@/components/testing/views';
import { windowIs } from '@/components/testing/window-kind';
import { TooltipProvider } from '@/components/ui/tooltip';
import type { Actor, ParticipantView, SessionView } from '@/lib/protocol/views';
import { FollowBar } from './follow-bar';
import { PointerSender } from './pointer-sender';
import { PresenceRow } from './presence-row';
import { HandButton, RaisedHands } from './raised-hands';
import { useShownTab } from './use-shown-tab';

beforeEach(() => {
  localStorage.clear();
  windowIs('desk');
});
afterEach(() => {
  vi.useRealTimers();
  cleanup();
});

const here = (actor: Actor, over: Partial<ParticipantView> = {}): ParticipantView => ({
  ...{ ...actor, colour: 1, online: true, grants: ['watch', 'drive'], ...over },
});
const MIA: Actor = { id: 'g_mia', name: 'Guest: Mia', kind: 'human' };
const TABS = [aTab({ id: 't1', title: 'Shop' }), aTab({ id: 't2', title: 'Bank', active: false })];
const aSessionOf = (participants: ParticipantView[], over: Partial<SessionView> = {}) =>
  aSession({ tabs: TABS, participants: [here(YOU), ...participants], ...over });

function Around({ locale = 'en', children }: { locale?: Locale; children: ReactNode }) {
  return (
    <PathnameContext.Provider value="/w/w1/sessions/s1">
      <MessagesProvider locale={locale}>
        <TooltipProvider>
          <SessionClientProvider>{children}</SessionClientProvider>
        </TooltipProvider>
      </MessagesProvider>
    </PathnameContext.Provider>
  );
}
function show(cockpit: Cockpit, locale: Locale = 'en') {
  render(
    <Around locale={locale}>
      <CockpitProvider value={cockpit}>
        <PresenceRow />
        <FollowBar />
        <RaisedHands />
        <HandButton />
      </CockpitProvider>
    </Around>,
  );
}
/** The items of somebody's menu. */
function menuOf(name: RegExp): string[] {
  fireEvent.keyDown(screen.getByRole('button', { name }), { key: 'Enter' });
  const items = screen.getAllByRole('menuitem').map((item) => item.textContent ?? '');
  fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' });
  return items;
}

it.each([
  [
    'en',
    [
      'Ana: at the wheel · looks at Bank',
      'Guest: Mia: has raised a hand · looks at Shop',
      'buyer-bot: may drive',
      'Bo: only watches',
      'Everybody here',
    ],
  ],
  [
    'zh',
    [
      'Ana：正在操作 · 正在看 Bank',
      'Guest: Mia：已举手 · 正在看 Shop',
      'buyer-bot：可以操作',
      'Bo：仅观看',
      '所有在场者',
    ],
  ],
] as const)('[AU5] one glance says who else is here, what they are and where they look (%s)', (locale, expected) => {
  const bo = here({ id: 'bo', name: 'Bo', kind: 'human' }, { grants: ['watch'] });
  const away = here({ id: 'al', name: 'Al', kind: 'human' }, { online: false });
  const all = [
    ...[bo, here(BOT), here(MIA, { hand: '2026-11-23T08:00:00.000Z', watching: 't1' })],
    ...[here(ANA, { watching: 't2' }), away],
  ];
  const tabs = TABS.map((tab) => ({ ...tab, control: aControl(ANA) }));
  show(aCockpit(aSessionOf(all, { tabs })), locale);

  const buttons = within(screen.getByRole('group')).getAllByRole('button');
  expect(buttons.map((one) => one.getAttribute('aria-label'))).toEqual(expected);
  const [first] = buttons;
  expect(first?.querySelector('[data-standing]')?.getAttribute('data-standing')).toBe('drives');
});

it('[AU5] of many the row shows five, and the panel has all', () => {
  const many = Array.from({ length: 9 }, (_, at) => here({ id: `p${at}`, name: `P${at}`, kind: 'human' }));
  show(aCockpit(aSessionOf(many)));

  expect(screen.getByRole('group', { name: '9 others are here' })).toBeTruthy();
  expect(screen.getAllByRole('listitem')).toHaveLength(5);
  fireEvent.click(screen.getByRole('button', { name: 'Everybody here' }));
  expect([localStorage.getItem('wh-panel'), localStorage.getItem('wh-panel-open')]).toEqual(['people', 'yes']);
});

it('[AU5][CO4] the menu of somebody offers what one may: to follow them, to hand, take or ask for the wheel', () => {
  const all = [here(ANA, { watching: 't2' }), here(BOT), here(MIA, { grants: [], mayDrive: false })];
  const held = (by: Actor) => TABS.map((tab) => ({ ...tab, control: aControl(by) }));
  const seen = (by: Actor, name: RegExp, grants: string[]) => {
    const session = aSessionOf(all, { tabs: held(by) });
    show(
      aCockpit({ ...session, participants: [here(YOU, { grants }), ...all] }, { mayDrive: grants.includes('drive') }),
    );
    const items = menuOf(name);
    cleanup();
    return items;
  };
  const drive = ['watch', 'drive'];

  expect(seen(YOU, /^Ana/, drive)).toEqual(['Follow', 'Go to their tab', 'Hand the wheel over']);
  expect(seen(YOU, /^Guest: Mia/, drive)).toEqual(['Follow']);
  expect(seen(ANA, /^Ana/, drive)).toEqual(['Follow', 'Go to their tab', 'Ask for the wheel']);
  expect(seen(ANA, /^Ana/, [...drive, 'manage'])).toEqual([
    'Follow',
    'Go to their tab',
    'Ask for the wheel',
    'Take the wheel in 3 seconds',
  ]);
  expect(seen(BOT, /^buyer-bot/, drive)).toEqual(['Follow', 'Take the wheel']);
  expect(seen(BOT, /^buyer-bot/, ['watch'])).toEqual(['Follow']);
});

it('[AU5] the bar says whom one follows, also while they are away, and stops it', () => {
  const follow = vi.fn();
  show(aCockpit(aSessionOf([]), { following: here(ANA, { online: false }), follow }));

  expect(screen.getByRole('region', { name: 'You follow Ana' }).textContent).toContain('away at the moment');
  fireEvent.click(screen.getByRole('button', { name: 'Stop following' }));
  expect(follow.mock.calls).toEqual([[undefined]]);
});

/** The tab that a page shows, as the session changes. */
function shownTab(first: SessionView) {
  const { result, rerender } = renderHook(({ session }) => useShownTab(session, YOU.id), {
    initialProps: { session: first },
    wrapper: ({ children }) => <Around>{children}</Around>,
  });
  return {
    is: () => [result.current.tab?.id, result.current.following?.name],
    follow: (who: string | undefined) => act(() => result.current.follow(who)),
    pick: (tab: string) => act(() => result.current.pickTab(tab)),
    push: (session: SessionView) => rerender({ session }),
  };
}
const at = (watching: string, over: Partial<ParticipantView> = {}) => aSessionOf([here(ANA, { watching, ...over })]);

it('[AU5] who follows somebody sees their tab, whichever it is, until they choose one themselves', () => {
  const page = shownTab(at('t1'));
  page.follow(ANA.id);
  page.push(at('t2'));
  expect(page.is()).toEqual(['t2', 'Ana']);
  page.push(at('t1'));
  expect(page.is()).toEqual(['t1', 'Ana']);
  page.pick('t2');
  page.push(at('t1'));
  expect(page.is()).toEqual(['t2', undefined]);
  page.follow(ANA.id);
  expect(page.is()).toEqual(['t1', 'Ana']);
  page.follow(undefined);
  page.push(at('t2'));
  expect(page.is()).toEqual(['t1', undefined]);
});

it('[AU5] following outlasts a short absence, and ends when they have left', () => {
  vi.useFakeTimers();
  const page = shownTab(at('t2'));
  page.follow(ANA.id);
  page.push(at('t2', { online: false }));
  act(() => void vi.advanceTimersByTime(9_000));
  page.push(at('t1'));
  act(() => void vi.advanceTimersByTime(60_000));
  expect(page.is()).toEqual(['t1', 'Ana']);
  page.push(aSessionOf([]));
  act(() => void vi.advanceTimersByTime(10_000));
  expect(page.is()).toEqual(['t1', undefined]);
});

it('[AU5] who gets the wheel follows nobody any more', () => {
  const page = shownTab(at('t2'));
  page.follow(ANA.id);
  page.push(
    aSessionOf([here(ANA, { watching: 't1' })], { tabs: TABS.map((tab) => ({ ...tab, control: aControl(YOU) })) }),
  );
  expect(page.is()[1]).toBeUndefined();
});

it('[AU5] a raised hand is read by those who may drive, and who has the wheel can give it at once', () => {
  const up = { hand: '2026-11-23T08:00:00.000Z' };
  const all = [here(MIA, up), here(ANA, { ...up, hand: '2026-11-23T08:00:01.000Z' })];
  const mine = TABS.map((tab) => ({ ...tab, control: aControl(YOU) }));
  show(aCockpit(aSessionOf(all, { tabs: mine })));
  expect(screen.getByRole('status').textContent).toBe('Guest: Mia and 1 more have raised a handGive it');
  expect(screen.queryByRole('button', { name: 'Raise a hand' })).toBeNull();
  cleanup();

  show(aCockpit(aSessionOf([here(MIA, { ...up, grants: [], mayDrive: false })], { tabs: mine })));
  expect(screen.getByRole('status').textContent).toBe('Guest: Mia has raised a hand');
  cleanup();

  show(aCockpit(aSessionOf(all), { mayDrive: false }));
  expect(screen.queryByRole('status')).toBeNull();
  expect(screen.getByRole('button', { name: 'Raise a hand' }).getAttribute('aria-pressed')).toBe('false');
});

it('[AU5] nobody raises a hand where only agents would see it', () => {
  show(aCockpit(aSessionOf([here(BOT), here(ANA, { online: false })])));
  expect(screen.queryByRole('button', { name: 'Raise a hand' })).toBeNull();
});

it('[AU5] of a moving pointer the newest place is sent, one at a time and at most ten a second', async () => {
  vi.useFakeTimers();
  const sent: unknown[] = [];
  const pointer = new PointerSender(async (place) => void sent.push(place));
  for (let x = 0; x <= 50; x += 1) pointer.put({ x, y: 1 });
  expect(sent).toEqual([{ x: 0, y: 1 }]);
  await vi.advanceTimersByTimeAsync(99);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toEqual([
    { x: 0, y: 1 },
    { x: 50, y: 1 },
  ]);
  pointer.put(null);
  await vi.advanceTimersByTimeAsync(100);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent.at(-1)).toBeNull();
  expect(sent).toHaveLength(3);
});

it('[AU5] the pointer goes with its tab: the place that waits is dropped, and null is sent at once', async () => {
  vi.useFakeTimers();
  const sent: unknown[] = [];
  const send = async (place: unknown) => void sent.push(place);
  const [pointer, unused] = [new PointerSender(send), new PointerSender(send)];
  pointer.put({ x: 1, y: 1 });
  pointer.put({ x: 2, y: 1 });
  pointer.dispose();
  unused.dispose();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toEqual([{ x: 1, y: 1 }, null]);
});
