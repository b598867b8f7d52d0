import type {
  ControlChange,
  ControlEffect,
  ControlResult,
  DrivenLease,
  Holder,
  Lease,
  LeaseMap,
  Refusal,
} from './lease';

/** The building blocks of the transitions. */

/** Tabs whose holder did something that Chrome has not acknowledged yet. */
export type Unsettled = ReadonlySet<string>;

/** The lease after a transition, with the effects to carry out. */
export interface Transition {
  readonly lease: Lease;
  readonly effects: readonly ControlEffect[];
}

export function held(
  holder: Holder,
  takenFrom: Holder | undefined,
  epoch: number,
  now: number,
  reason: string,
): DrivenLease {
  return { state: 'held', epoch: epoch + 1, since: now, reason, holder, takenFrom, privateHold: undefined };
}

export function free(epoch: number, now: number, reason: string): Lease {
  return { state: 'free', epoch: epoch + 1, since: now, reason };
}

/** The same holder at the same epoch, without the request or the parking. */
export function withoutRequest(
  { epoch, since, holder, takenFrom, privateHold }: DrivenLease,
  reason: string,
): DrivenLease {
  return { state: 'held', epoch, since, reason, holder, takenFrom, privateHold };
}

export function changedStep(tab: string, change: ControlChange, by: Holder | undefined, lease: Lease): Transition {
  return { lease, effects: [{ type: 'changed', tab, change, by, lease }] };
}

/** Takes the lease from its holder for `to`; the holder's work is drained first (CO3). */
export function drain(
  tab: string,
  lease: DrivenLease,
  to: Holder,
  how: { given: boolean; now: number; reason: string },
): Transition {
  const { holder: from } = lease;
  const next: Lease = {
    state: 'draining',
    epoch: lease.epoch + 1,
    since: how.now,
    reason: how.reason,
    from,
    to,
    back: handBackTarget(to, from, lease.takenFrom),
    given: how.given,
    privateHold: lease.privateHold,
  };
  return {
    lease: next,
    effects: [
      { type: 'changed', tab, change: how.given ? 'giving' : 'taking', by: how.given ? from : to, lease: next },
      { type: 'drain', tab, holder: from, by: to, epoch: next.epoch },
    ],
  };
}

/**
 * The holder gives up the lease, to `to` or to no one, before Chrome has acknowledged all of their input: the lease
 * passes once it has.
 */
export function drainOnRelease(
  tab: string,
  lease: DrivenLease,
  to: Holder | undefined,
  how: { change: ControlChange; now: number; reason: string },
): Transition {
  const { holder: from } = lease;
  const next: Lease = {
    state: 'draining',
    epoch: lease.epoch + 1,
    since: how.now,
    reason: how.reason,
    from,
    to,
    back: undefined,
    given: true,
    privateHold: lease.privateHold,
  };
  return {
    lease: next,
    effects: [
      { type: 'changed', tab, change: how.change, by: from, lease: next },
      { type: 'drain', tab, holder: from, by: to, epoch: next.epoch },
    ],
  };
}

/** The agent to which `to` will hand the lease back: `from`, or the agent that `from` had taken it from. */
export function handBackTarget(to: Holder, from: Holder, takenFrom: Holder | undefined): Holder | undefined {
  if (to.kind === 'agent') return undefined;
  return from.kind === 'agent' ? from : takenFrom;
}

/** Frees the tab and releases held input; at once, unless Chrome has not acknowledged all of the holder's input. */
export function freed(
  tab: string,
  lease: DrivenLease,
  change: ControlChange,
  reason: string,
  now: number,
  unsettled: Unsettled,
): Transition {
  if (unsettled.has(tab)) return drainOnRelease(tab, lease, undefined, { change, now, reason });
  const next = free(lease.epoch, now, reason);
  return {
    lease: next,
    effects: [
      { type: 'release-input', tab },
      { type: 'changed', tab, change, by: lease.holder, lease: next },
    ],
  };
}

/** Applies a transition to each of these tabs; the map stays the same object if no lease changes. */
export function onEach(
  leases: LeaseMap,
  tabs: Iterable<string>,
  act: (tab: string, lease: Lease) => Transition | undefined,
): ControlResult {
  let next = leases;
  const effects: ControlEffect[] = [];
  for (const tab of tabs) {
    const lease = leases.get(tab);
    const step = lease && act(tab, lease);
    if (!step) continue;
    if (step.lease !== lease) next = withLease(next, tab, step.lease);
    effects.push(...step.effects);
  }
  return { ok: true, leases: next, effects };
}

export function onTab(leases: LeaseMap, tab: string, act: (lease: Lease) => ControlResult): ControlResult {
  const lease = leases.get(tab);
  return lease ? act(lease) : refuse({ code: 'TAB_NOT_FOUND', said: { code: 'noTab', id: tab } });
}

export function changeLease(leases: LeaseMap, tab: string, step: Transition): ControlResult {
  return { ok: true, leases: withLease(leases, tab, step.lease), effects: step.effects };
}

export function unchanged(leases: LeaseMap): ControlResult {
  return { ok: true, leases, effects: [] };
}

export function refuse(refusal: Refusal): ControlResult {
  return { ok: false, refusal };
}

function withLease(leases: LeaseMap, tab: string, lease: Lease): LeaseMap {
  return new Map(leases).set(tab, lease);
}
