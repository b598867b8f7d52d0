import type { ControlEvent, ControlResult, DrivenLease, Holder, Lease, LeaseMap } from './lease';
import {
  drain,
  free,
  freed,
  held,
  changeLease,
  onEach,
  withoutRequest,
  changedStep,
  unchanged,
  type Transition,
  type Unsettled,
} from './parts';
import { withdrawn } from './passing';
import { driven, ownerOf } from './rules';

/**
 * What happens to leases when participants connect, disconnect or leave, and when a time limit passes (CO4, CO7, CO10).
 */

/** The reason shown for the lease of a reopened tab. */
const REOPENED = 'its Chrome has ended';

/**
 * The participant lost the connection: their leases are parked, their requests are withdrawn. The epoch stays, since no
 * one else may write meanwhile.
 */
export function lost(
  leases: LeaseMap,
  { participant, until, privateUntil = until }: Extract<ControlEvent, { type: 'lost' }>,
): ControlResult {
  return onEach(leases, leases.keys(), (tab, lease) => {
    if (lease.state === 'asked' && lease.asker.id === participant) return withdrawn(tab, lease);
    const mine = driven(lease);
    if (mine?.holder.id !== participant) return undefined;
    const { epoch, since, holder, takenFrom, privateHold } = mine;
    return changedStep(tab, 'parked', holder, {
      state: 'parked',
      epoch,
      since,
      reason: 'lost the connection',
      holder,
      takenFrom,
      privateHold,
      until: privateHold ? privateUntil : until,
    });
  });
}

export function back(leases: LeaseMap, participant: string): ControlResult {
  return onEach(leases, leases.keys(), (tab, lease) =>
    lease.state === 'parked' && lease.holder.id === participant
      ? changedStep(tab, 'back', lease.holder, withoutRequest(lease, 'came back'))
      : undefined,
  );
}

/**
 * The participant gives up all leases and requests. If the key or sign-in has ended, no lease is handed back to it
 * either.
 */
export function left(
  leases: LeaseMap,
  { participant, why }: Extract<ControlEvent, { type: 'left' }>,
  now: number,
  unsettled: Unsettled,
): ControlResult {
  return onEach(leases, leases.keys(), (tab, before) => {
    const waits = why === 'signed out' ? waitsFor(before) : undefined;
    const lease = waits?.id === participant ? forgetful(before) : before;
    if (lease.state === 'asked' && lease.asker.id === participant) return withdrawn(tab, lease);
    if (ownerOf(lease)?.id !== participant)
      return lease === before ? undefined : changedStep(tab, 'forgotten', waits, lease);
    if (lease.state === 'draining')
      return { lease: { ...lease, to: undefined, back: undefined, given: false }, effects: [] };
    const mine = driven(lease);
    return mine && gone(tab, mine, why, now, unsettled);
  });
}

/** The agent that gets the lease at a hand-back. */
function waitsFor(lease: Lease): Holder | undefined {
  return lease.state === 'draining' ? lease.back : driven(lease)?.takenFrom;
}

function forgetful(lease: Lease): Lease {
  switch (lease.state) {
    case 'free':
      return lease;
    case 'draining':
      return { ...lease, back: undefined };
    case 'held':
    case 'asked':
    case 'parked':
      return { ...lease, takenFrom: undefined };
  }
}

/** Raises the epoch of every lease except draining ones, whose epoch grows when they pass. */
export function renewed(leases: LeaseMap): ControlResult {
  return onEach(leases, leases.keys(), (_, lease) =>
    lease.state === 'draining' ? undefined : { lease: { ...lease, epoch: lease.epoch + 1 }, effects: [] },
  );
}

/** The tab continues in a new page: higher epoch, no pending request, and a drain that was under way is complete. */
export function reopened(
  leases: LeaseMap,
  { tab, lease }: Extract<ControlEvent, { type: 'tab-reopened' }>,
  now: number,
): ControlResult {
  return leases.has(tab) ? unchanged(leases) : changeLease(leases, tab, anew(tab, lease, now));
}

function anew(tab: string, lease: Lease, now: number): Transition {
  const { epoch } = lease;
  switch (lease.state) {
    case 'free':
      return { lease: free(epoch, now, REOPENED), effects: [] };
    case 'draining':
      return {
        lease: lease.to ? held(lease.to, lease.back, epoch, now, REOPENED) : free(epoch, now, REOPENED),
        effects: [],
      };
    case 'parked':
      return changedStep(tab, 'parked', lease.holder, { ...lease, epoch: epoch + 1 });
    case 'held':
    case 'asked':
      return {
        lease: { ...held(lease.holder, lease.takenFrom, epoch, now, REOPENED), privateHold: lease.privateHold },
        effects: [],
      };
  }
}

/** Does nothing before the deadline, or when the lease has none any more. */
export function due(leases: LeaseMap, tab: string, now: number, unsettled: Unsettled): ControlResult {
  const lease = leases.get(tab);
  if (!lease || !('until' in lease) || now < lease.until) return unchanged(leases);
  return onEach(leases, [tab], () => overdue(tab, lease, now, unsettled));
}

function overdue(tab: string, lease: Extract<Lease, { until: number }>, now: number, unsettled: Unsettled): Transition {
  if (lease.state === 'parked') return gone(tab, lease, 'left', now, unsettled);
  if (lease.atEnd === 'passes') return drain(tab, lease, lease.asker, { given: false, now, reason: 'taken' });
  return changedStep(tab, 'unanswered', lease.asker, withoutRequest(lease, 'a request was not answered'));
}

/** The holder does not come back. A private hold stays until the page is replaced (CO8). */
function gone(
  tab: string,
  lease: DrivenLease,
  why: Extract<ControlEvent, { type: 'left' }>['why'],
  now: number,
  unsettled: Unsettled,
): Transition {
  if (!lease.privateHold) return freed(tab, lease, why, why, now, unsettled);
  const { epoch, holder, privateHold } = lease;
  const next: Lease = {
    state: 'draining',
    epoch: epoch + 1,
    since: now,
    reason: why,
    from: holder,
    to: undefined,
    back: undefined,
    given: false,
    privateHold,
  };
  return {
    lease: next,
    effects: [
      { type: 'changed', tab, change: why, by: holder, lease: next },
      { type: 'clear', tab, epoch: next.epoch },
    ],
  };
}
