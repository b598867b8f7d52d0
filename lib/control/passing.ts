import type { ControlEvent, ControlResult, Holder, Lease, LeaseMap, Scope } from './lease';
import {
  drain,
  free,
  freed,
  held,
  changeLease,
  onEach,
  onTab,
  drainOnRelease,
  refuse,
  withoutRequest,
  changedStep,
  unchanged,
  type Transition,
  type Unsettled,
} from './parts';
import { driven, heldBy, keepsPrivately, outranks, ownerOf, tabsOf } from './rules';
import { takeFree } from './taking';

/** Transitions by agreement: request, grant, deny, hand over, hand back, give up (CO4, CO5, CO7). */

type AskedLease = Extract<Lease, { state: 'asked' }>;
type Draining = Extract<Lease, { state: 'draining' }>;

/** Time in which the holder can answer a request. Milliseconds (CO4). */
const ANSWER_MS = 5_000;

/**
 * On a free tab a request takes the lease. There is one request at a time: a person's replaces an agent's, otherwise
 * the first one stays.
 */
export function request(
  leases: LeaseMap,
  { tab, by, moderates }: Extract<ControlEvent, { type: 'request' }>,
  now: number,
): ControlResult {
  return onTab(leases, tab, (lease) => {
    if (lease.state === 'free' || ownerOf(lease)?.id === by.id) return takeFree(leases, tab, by, now);
    if (lease.state !== 'held' && lease.state !== 'asked') return refuse(heldBy(lease));
    if (lease.state === 'asked' && lease.asker.id === by.id) return unchanged(leases);
    if (lease.state === 'asked' && !outranks(by, lease.asker))
      return refuse({ code: 'CONTROL_HELD', said: { code: 'wheelAskedBefore', name: lease.asker.name } });
    const passes =
      !keepsPrivately(lease) && (outranks(by, lease.holder) || (moderates === true && by.kind === 'human'));
    const { epoch, since, reason, holder, takenFrom, privateHold } = lease;
    return changeLease(
      leases,
      tab,
      changedStep(tab, 'asked', by, {
        state: 'asked',
        epoch,
        since,
        reason,
        holder,
        takenFrom,
        privateHold,
        asker: by,
        until: now + ANSWER_MS,
        atEnd: passes ? 'passes' : 'stays',
      }),
    );
  });
}

export function grant(
  leases: LeaseMap,
  { tab, by, scope }: Extract<ControlEvent, { type: 'grant' }>,
  now: number,
): ControlResult {
  return onTab(leases, tab, (lease) => {
    if (ownerOf(lease)?.id !== by.id) return refuse(heldBy(lease));
    if (lease.state !== 'asked') return refuse({ code: 'CONFLICT', said: { code: 'wheelUnasked' } });
    return give(leases, tab, by, lease.asker, scope, now);
  });
}

/** Applies to requests only: a participant who takes the lease by right is not refused. */
export function deny(leases: LeaseMap, tab: string, by: Holder): ControlResult {
  return onTab(leases, tab, (lease) => {
    if (ownerOf(lease)?.id !== by.id) return refuse(heldBy(lease));
    if (lease.state !== 'asked') return refuse({ code: 'CONFLICT', said: { code: 'wheelUnasked' } });
    if (lease.atEnd === 'passes')
      return refuse({ code: 'CONFLICT', said: { code: 'wheelUndeniable', name: lease.asker.name } });
    return changeLease(leases, tab, changedStep(tab, 'denied', by, withoutRequest(lease, 'a request was denied')));
  });
}

export function handOver(
  leases: LeaseMap,
  { tab, by, to, scope }: Extract<ControlEvent, { type: 'hand-over' }>,
  now: number,
): ControlResult {
  return onTab(leases, tab, (lease) => {
    if (lease.state === 'free') return refuse({ code: 'CONFLICT', said: { code: 'wheelUnclaimed' } });
    if (ownerOf(lease)?.id !== by.id) return refuse(heldBy(lease));
    return to.id === by.id ? unchanged(leases) : give(leases, tab, by, to, scope, now);
  });
}

/** Gives all tabs that `by` drives, or with scope `tab` only this one, once the giver's last action is drained. */
function give(leases: LeaseMap, tab: string, by: Holder, to: Holder, scope: Scope, now: number): ControlResult {
  return onEach(leases, tabsOf(leases, by, tab, scope), (id, lease) => {
    const mine = driven(lease);
    if (mine) return drain(id, mine, to, { given: true, now, reason: 'given' });
    return lease.state === 'draining'
      ? { lease: { ...lease, to, back: to.kind === 'agent' ? undefined : lease.back, given: true }, effects: [] }
      : undefined;
  });
}

/**
 * Hands every tab of the session that this person holds back to the agent it was taken from. A tab taken from no one
 * goes to the agent of the tab in question, or becomes free. A tab that is still draining is handed back after the
 * drain.
 */
export function handBack(
  leases: LeaseMap,
  { tab, by }: Extract<ControlEvent, { type: 'hand-back' }>,
  now: number,
  unsettled: Unsettled,
): ControlResult {
  return onTab(leases, tab, (lease) => {
    if (lease.state === 'free') return refuse({ code: 'CONFLICT', said: { code: 'wheelUnclaimed' } });
    if (ownerOf(lease)?.id !== by.id) return refuse(heldBy(lease));
    const former = lease.state === 'draining' ? backOf(lease) : lease.takenFrom;
    const agent = former?.kind === 'agent' ? former : undefined;
    return onEach(leases, tabsOf(leases, by, tab, 'session'), (id, current) =>
      backOne(id, current, agent, now, unsettled),
    );
  });
}

/**
 * Who gets a draining lease that is handed back: the agent `back`, else the former holder. Undefined (the lease becomes
 * free) when a person took it from an agent that no longer exists, or takes again what they were just giving up.
 */
function backOf({ from, to, back }: Draining): Holder | undefined {
  if (back) return back;
  return to && (to.id === from.id || outranks(to, from)) ? undefined : from;
}

function backOne(
  tab: string,
  lease: Lease,
  agent: Holder | undefined,
  now: number,
  unsettled: Unsettled,
): Transition | undefined {
  if (lease.state === 'draining') {
    const to = backOf(lease);
    return { lease: { ...lease, to, back: undefined, given: to !== undefined }, effects: [] };
  }
  const mine = driven(lease);
  if (!mine) return undefined;
  const target = mine.takenFrom ?? agent;
  if (unsettled.has(tab))
    return drainOnRelease(tab, mine, target, { change: 'handed-back', now, reason: 'handed back' });
  const back = target ? held(target, undefined, mine.epoch, now, 'handed back') : free(mine.epoch, now, 'handed back');
  return {
    lease: back,
    effects: [
      { type: 'release-input', tab },
      { type: 'changed', tab, change: 'handed-back', by: mine.holder, lease: back },
    ],
  };
}

/**
 * Gives up one tab, or with scope `session` all that the participant has; for a participant who has asked for the
 * lease, this withdraws the request.
 */
export function giveUp(
  leases: LeaseMap,
  { tab, by, reason, scope = 'tab' }: Extract<ControlEvent, { type: 'release' }>,
  now: number,
  unsettled: Unsettled,
): ControlResult {
  return onTab(leases, tab, (lease) => {
    if (lease.state === 'asked' && lease.asker.id === by.id) return changeLease(leases, tab, withdrawn(tab, lease));
    if (lease.state !== 'free' && ownerOf(lease)?.id !== by.id) return refuse(heldBy(lease));
    return onEach(leases, tabsOf(leases, by, tab, scope), (id, current) => {
      if (current.state === 'draining')
        return { lease: { ...current, to: undefined, back: undefined, given: false }, effects: [] };
      const mine = driven(current);
      return mine && freed(id, mine, 'released', reason, now, unsettled);
    });
  });
}

export function withdrawn(tab: string, lease: AskedLease): Transition {
  return changedStep(tab, 'withdrawn', lease.asker, withoutRequest(lease, 'a request was taken back'));
}
