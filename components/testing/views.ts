import type { CommentView } from '@/lib/comments/comment';
import type { DoneAction } from '@/lib/actions/done';
import type { Receipt } from '@/lib/actions/receipt';
import type { Actor, ControlView, SessionView, TabView, TimelineEvent } from '@/lib/protocol/views';
import type { HelpRequestView } from '@/lib/help/help-request';

/** Small states for tests: nothing special, overridden with what the test is about. */

export const YOU = { id: 'you', name: 'Mara', kind: 'human' } as const satisfies Actor;
export const ANA = { id: 'ana', name: 'Ana', kind: 'human' } as const satisfies Actor;
export const BOT = { id: 'bot', name: 'buyer-bot', kind: 'agent' } as const satisfies Actor;

export const AT = '2026-11-21T08:00:00.000Z';

/** ISO 8601 time `seconds` after `AT`. */
export function after(seconds: number): string {
  return new Date(Date.parse(AT) + seconds * 1_000).toISOString();
}

export function aControl(holder: Actor | null, over: Partial<ControlView> = {}): ControlView {
  return { state: holder ? 'held' : 'free', holder, epoch: 1, since: AT, reason: '', takenFrom: null, ...over };
}

export function aQuestion(over: Partial<HelpRequestView> = {}): HelpRequestView {
  return {
    id: 'q1',
    tab: 't1',
    by: BOT,
    reason: 'A code was sent to a phone',
    askedAt: after(7),
    state: 'open',
    leftMs: 600_000,
    ...over,
  };
}

/** An open comment of a person who drives, on tab `t1`. */
export function aComment(seq: number, over: Partial<CommentView> = {}): CommentView {
  return {
    ...{ id: `c_${seq}`, seq, tab: 't1', text: `Number ${seq}`, by: ANA, at: after(seq), mentions: [] },
    ...{ forAgents: true, open: true, ...over },
  };
}

export function aTab(over: Partial<TabView> = {}): TabView {
  return {
    id: 't1',
    targetId: 'T1',
    url: 'https://shop.example/',
    title: 'Shop',
    active: true,
    health: { state: 'ready', since: AT, reason: '' },
    control: aControl(null),
    canGoBack: false,
    canGoForward: false,
    ...over,
  };
}

export function anEvent(over: Partial<TimelineEvent> = {}): TimelineEvent {
  return {
    seq: 1,
    id: 'e1',
    phase: 'outcome',
    at: AT,
    actor: BOT,
    door: 'http',
    kind: 'click',
    text: 'click button "Buy"',
    outcome: 'ok',
    ...over,
  };
}

/** An action of a person; `text` is its English line. */
export function aDone(text: string, over: Partial<DoneAction> = {}): DoneAction {
  return { at: AT, tab: 't1', action: { kind: 'click' }, step: text, text, ...over };
}

/** The receipt of a person who clicked and typed a password. */
export function aReceipt(over: Partial<Receipt> = {}): Receipt {
  const click = aDone('click button "Agree"', { deed: { word: 'click' }, element: { role: 'button', name: 'Agree' } });
  const type = aDone('type textbox "Password" "${hidden}"', {
    deed: { word: 'type' },
    element: { role: 'textbox', name: 'Password' },
    hidden: true,
  });
  return {
    by: YOU.name,
    to: BOT.name,
    takenAt: AT,
    returnedAt: after(30),
    url: 'https://shop.example/account',
    tabs: [],
    actions: [click, type],
    ...over,
  };
}

export function aSession(over: Partial<SessionView> = {}): SessionView {
  const tabs = over.tabs ?? [aTab()];
  return {
    id: 's1',
    name: 'Session',
    state: 'live',
    stateReason: '',
    createdAt: AT,
    browser: { id: 'b1', product: 'Chromium', origin: 'launched' },
    isolation: 'context',
    viewport: { width: 1280, height: 720 },
    activeTab: tabs[0]?.id ?? null,
    participants: [],
    lastEvent: null,
    version: 1,
    ...over,
    tabs,
  };
}
