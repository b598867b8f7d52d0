import type { ControlEvent, ControlResult, Holder, Lease, LeaseMap } from './lease';
import {
  handBackTarget,
  drain,
  free,
  held,
  changeLease,
  onEach,
  onTab,
  refuse,
  withoutRequest,
  changedStep,
  unchanged,
  type Transition,
} from './parts';
import { driven, heldBy, keepsPrivately, outranks, ownerOf, mayTake } from './rules';

/** Transitions by which a participant takes a lease (CO1, CO3, CO10). */

type Take = Extract<ControlEvent, { type: 'take' }>;

/** Grace for a person from whom a moderator takes the lease; the person sees it. Milliseconds (CO4). */
const TAKE_GRACE_MS = 3_000;

/** The first participant to act on a free tab gets its lease. */
export function takeFree(leases: LeaseMap, tab: string, by: Holder, now: number): ControlResult {
  return onTab(leases, tab, (lease) => {
    const own = driven(lease)?.holder.id === by.id;
    if (own)
      return lease.state === 'parked'
        ? changeLease(leases, tab, changedStep(tab, 'back', by, withoutRequest(lease, 'came back')))
        : unchanged(leases);
    if (lease.state !== 'free') return refuse(heldBy(lease));
    return changeLease(
      leases,
      tab,
      changedStep(tab, 'claimed', by, held(by, undefined, lease.epoch, now, 'first to act')),
    );
  });
}

/**
 * Taking from an agent applies to all tabs of the session unless the caller narrows it. Taking from another person
 * applies to the tab alone and needs the right to moderate.
 */
export function take(leases: LeaseMap, event: Take, now: number): ControlResult {
  const { tab, by, scope } = event;
  return onTab(leases, tab, (lease) => {
    const allowed = mayTake(lease, by);
    if (!allowed && !byRight(lease, event)) return refuse(heldBy(lease));
    const tabs = scope === 'tab' ? [tab] : [...leases.keys()].filter((id) => id === tab || mayTake(leases.get(id), by));
    return onEach(leases, tabs, (id, current) =>
      id === tab && !allowed ? warn(id, current, by, now) : takeOne(id, current, by, now),
    );
  });
}

/**
 * A moderator may take from a person, but not during a member's private hold or while the lease is changing hands.
 */
function byRight(lease: Lease, { moderates, by }: Take): boolean {
  const mine = driven(lease);
  return moderates === true && by.kind === 'human' && mine !== undefined && !keepsPrivately(mine);
}

/** Gives the loser a grace period, then the lease passes. An earlier request of another participant is dropped. */
function warn(tab: string, lease: Lease, by: Holder, now: number): Transition | undefined {
  const mine = driven(lease);
  if (!mine || (lease.state === 'asked' && lease.asker.id === by.id && lease.atEnd === 'passes')) return undefined;
  const { epoch, since, holder, takenFrom, privateHold } = mine;
  return changedStep(tab, 'asked', by, {
    state: 'asked',
    epoch,
    since,
    reason: 'taken',
    holder,
    takenFrom,
    privateHold,
    asker: by,
    until: now + TAKE_GRACE_MS,
    atEnd: 'passes',
  });
}

function takeOne(tab: string, lease: Lease, by: Holder, now: number): Transition {
  switch (lease.state) {
    case 'free':
      return changedStep(tab, 'taken', by, held(by, undefined, lease.epoch, now, 'taken'));
    case 'draining':
      return { lease: lease.to?.id === by.id ? lease : redirect(lease, by), effects: [] };
    case 'held':
    case 'asked':
    case 'parked':
      if (lease.holder.id !== by.id) return drain(tab, lease, by, { given: false, now, reason: 'taken' });
      return lease.state === 'parked'
        ? changedStep(tab, 'back', by, withoutRequest(lease, 'came back'))
        : { lease, effects: [] };
  }
}

/** A lease that was passing to an agent, or to no one, goes to the person who takes it. */
function redirect(lease: Extract<Lease, { state: 'draining' }>, by: Holder): Lease {
  const agent = lease.to && outranks(by, lease.to) ? lease.to : undefined;
  return { ...lease, to: by, back: agent ?? handBackTarget(by, lease.from, lease.back), given: false, reason: 'taken' };
}

/** The loser's last action has ended: the new holder gets in. */
export function drained(leases: LeaseMap, tab: string, epoch: number, now: number): ControlResult {
  const lease = leases.get(tab);
  if (lease?.state !== 'draining' || lease.epoch !== epoch) return unchanged(leases);
  const { lease: next, effects } = handed(tab, lease, now);
  return changeLease(leases, tab, { lease: next, effects: [{ type: 'release-input', tab }, ...effects] });
}

function handed(tab: string, lease: Extract<Lease, { state: 'draining' }>, now: number): Transition {
  const { from, to, back, epoch } = lease;
  if (!to)
    return lease.given
      ? changedStep(tab, 'given', from, free(epoch, now, lease.reason))
      : changedStep(tab, 'released', undefined, free(epoch, now, 'released'));
  if (to.id === from.id) return changedStep(tab, 'handed-back', undefined, held(to, back, epoch, now, 'handed back'));
  return changedStep(
    tab,
    lease.given ? 'given' : 'taken',
    lease.given ? from : to,
    held(to, back, epoch, now, lease.reason),
  );
}

/** A popup inherits the lease of its opener, also while that lease is changing hands (SE2, CO1). */
export function popupLease(opener: Lease | undefined, now: number): Lease | undefined {
  const owner = opener && ownerOf(opener);
  if (!owner || !opener) return undefined;
  if (opener.state === 'draining')
    return held(
      owner,
      opener.to?.id === opener.from.id ? undefined : opener.back,
      0,
      now,
      'opened while the wheel changed hands',
    );
  const mine = driven(opener);
  const lease = held(owner, mine?.takenFrom, 0, now, 'opened by the holder');
  return mine?.privateHold ? { ...lease, privateHold: mine.privateHold } : lease;
}
