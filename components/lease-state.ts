import type { Actor, ControlView, PausedView, SessionView, TabView } from '@/lib/protocol/views';
import type { HelpRequestView } from '@/lib/help/help-request';
import type { Message } from '@/lib/messages/message';

/** Who may act on a tab now, or why it needs a person. The names are also the colour roles of `data-lease`. */
export type LeaseKind = 'agent' | 'human' | 'help' | 'stuck' | 'idle';

/** Keys of the `lease` message namespace. */
export type LeaseWord =
  | 'agentDriving'
  | 'youDriving'
  | 'humanDriving'
  | 'youPrivate'
  | 'humanPrivate'
  | 'changingHands'
  | 'needsYou'
  | 'youOnIt'
  | 'personOnIt'
  | 'youPaused'
  | 'personPaused'
  | 'stuckScript'
  | 'stuckPaused'
  | 'stuckCrashed'
  | 'stuckBrowser'
  | 'stuckFails'
  | 'stuckNowhere'
  | 'stuckFlood'
  | 'stuckParked'
  | 'idle'
  | 'ended';

export interface LeaseState {
  readonly kind: LeaseKind;
  readonly word: LeaseWord;
  /** Values for the message: the name of the holder or of the person who is on it; empty while the lease is free. */
  readonly values: { readonly name: string };
  /** Since when, ISO 8601. */
  readonly since: string;
  /** Why the tab is stuck, in the server's English; may contain page-made text. */
  readonly reason: string;
  /** The same as a message code, for the reader's language. */
  readonly said?: Message | undefined;
  /** The holder of the lease; null while it is free. */
  readonly holder: Actor | null;
  /** True when the reader is the holder: "Hand back" rather than "Take the wheel". */
  readonly mine: boolean;
}

export interface SessionLease extends LeaseState {
  /** The tab of this state; undefined when it is the state of the whole session. */
  readonly tab: string | undefined;
}

/** Stuck states in which the page itself can still be used. */
const USABLE: ReadonlySet<string> = new Set(['stuckFails', 'stuckNowhere', 'stuckFlood', 'stuckParked']);

/** True when the tab's page cannot be used and its picture does not change. */
export function isUnwell({ kind, word }: Pick<LeaseState, 'kind' | 'word'>): boolean {
  return kind === 'stuck' && !USABLE.has(word);
}

/** From most to least urgent: the order of the wall and of its filters. */
export const LEASE_ORDER: readonly LeaseKind[] = ['help', 'stuck', 'human', 'agent', 'idle'];

/**
 * The state of one tab, as `you` see it.
 * @param you participant id of the reader; undefined before the handshake
 */
export function tabLease(tab: TabView, you: string | undefined): LeaseState {
  const { control, health } = tab;
  const base = {
    values: { name: control.holder?.name ?? '' },
    holder: control.holder,
    mine: control.holder !== null && control.holder.id === you,
  };
  if (health.state === 'hung')
    return {
      ...base,
      kind: 'stuck',
      word: health.said?.code === 'pagePaused' ? 'stuckPaused' : 'stuckScript',
      since: health.since,
      reason: health.reason,
      said: health.said,
    };
  if (health.state === 'crashed')
    return {
      ...base,
      kind: 'stuck',
      word: 'stuckCrashed',
      since: health.since,
      reason: health.reason,
      said: health.said,
    };
  if (!personHolds(tab)) {
    if (tab.dialog || health.state === 'dialog')
      return {
        ...base,
        kind: 'help',
        word: 'needsYou',
        since: tab.dialog?.openedAt ?? health.since,
        reason: tab.dialog?.message ?? health.reason,
      };
    const asked = askedOf(control.questions ?? [], you);
    if (asked) return { ...base, ...asked };
    if (control.paused) return { ...base, ...pausedOf(control.paused, you) };
  }
  if (tab.stuck)
    return {
      ...base,
      kind: 'stuck',
      word: wordOf(tab.stuck.said),
      since: tab.stuck.since,
      reason: tab.stuck.reason,
      said: tab.stuck.said,
    };
  return { ...base, ...driving(control, base.mine), since: control.since, reason: control.reason };
}

/** The agent to which this person hands back: that of the tab, else of another tab that they hold. */
export function handsBackTo(session: SessionView, tab: TabView | undefined, you: string | undefined): Actor | null {
  const mine = session.tabs.filter(({ control }) => control.holder !== null && control.holder.id === you);
  const of = [tab, ...mine].find((one) => one && one.control.holder?.id === you && one.control.takenFrom);
  return of?.control.takenFrom ?? null;
}

/**
 * The state of a session: that of its active tab, unless another tab needs help or is stuck.
 * @param you participant id of the reader
 */
export function sessionLease(session: SessionView, you: string | undefined): SessionLease {
  if (session.state !== 'live') return wholeSession(session);
  const open = session.tabs.filter((tab) => tab.health.state !== 'closed');
  const active = open.find((tab) => tab.id === session.activeTab) ?? open[0];
  if (!active) return withoutHolder('idle', 'idle', session.createdAt, session.stateReason);
  const states = [active, ...open.filter((tab) => tab !== active)].map((tab) => ({
    ...tabLease(tab, you),
    tab: tab.id,
  }));
  const urgent = states.find((state) => state.kind === 'help') ?? states.find((state) => state.kind === 'stuck');
  return urgent ?? { ...tabLease(active, you), tab: active.id };
}

/** The state of a tab where agents ask for a person: one that another person is on calls nobody else (CO4). */
function askedOf(
  questions: readonly HelpRequestView[],
  you: string | undefined,
): Pick<LeaseState, 'kind' | 'word' | 'values' | 'since' | 'reason'> | undefined {
  const calls = questions.find(({ claimed }) => !claimed || claimed.by.id === you);
  const [first] = questions;
  if (calls)
    return {
      kind: 'help',
      word: calls.claimed ? 'youOnIt' : 'needsYou',
      values: { name: calls.by.name },
      since: calls.claimed?.at ?? calls.askedAt,
      reason: calls.reason,
    };
  return (
    first?.claimed && {
      kind: 'human',
      word: 'personOnIt',
      values: { name: first.claimed.by.name },
      since: first.claimed.at,
      reason: first.reason,
    }
  );
}

function pausedOf(
  { by, at }: PausedView,
  you: string | undefined,
): Pick<LeaseState, 'kind' | 'word' | 'values' | 'since' | 'reason'> {
  const word = by.id === you ? 'youPaused' : 'personPaused';
  return { kind: 'human', word, values: { name: by.name }, since: at, reason: '' };
}

/** Word for a stuck tab whose page answers. */
function wordOf(said: Message | undefined): LeaseWord {
  if (said?.code === 'floodParked') return 'stuckParked';
  if (said?.code.startsWith('flood') === true) return 'stuckFlood';
  return said?.code === 'agentFails' ? 'stuckFails' : 'stuckNowhere';
}

/** True when a person drives: they see the tab's dialog or help request. Otherwise the tab needs a person. */
function personHolds({ control }: TabView): boolean {
  return control.state !== 'free' && control.holder?.kind === 'human';
}

function driving(control: ControlView, mine: boolean): { kind: LeaseKind; word: LeaseWord } {
  if (control.state === 'free' || !control.holder) return { kind: 'idle', word: 'idle' };
  const kind = control.holder.kind === 'human' ? 'human' : 'agent';
  if (control.state === 'draining') return { kind, word: 'changingHands' };
  if (kind === 'agent') return { kind, word: 'agentDriving' };
  if (control.private) return { kind, word: mine ? 'youPrivate' : 'humanPrivate' };
  return { kind, word: mine ? 'youDriving' : 'humanDriving' };
}

function wholeSession(session: SessionView): SessionLease {
  const since = session.lastEvent?.at ?? session.createdAt;
  if (session.state === 'browser-down')
    return { ...withoutHolder('stuck', 'stuckBrowser', since, session.stateReason), said: session.stateSaid };
  return withoutHolder('idle', 'ended', since, session.stateReason);
}

function withoutHolder(kind: LeaseKind, word: LeaseWord, since: string, reason: string): SessionLease {
  return { kind, word, values: { name: '' }, since, reason, holder: null, mine: false, tab: undefined };
}
