import type { ControlChange, ControlEffect, ControlEvent, ControlResult, Holder, Lease, Leases, Refusal } from './lease';

/** The only way leases change (CO1): pure, so that every interleaving can be tested. `now` is monotonic milliseconds. */
export function reduce(leases: Leases, event: ControlEvent, now: number): ControlResult {
  switch (event.type) {
    case 'tab-opened':
      return openTab(leases, event.tab, event.opener, now);
    case 'tab-closed':
      return changed(without(leases, event.tab), []);
    case 'claim':
      return onTab(leases, event.tab, (lease) => claim(leases, event.tab, lease, event.by, now));
    case 'take':
      return onTab(leases, event.tab, (lease) => take(leases, event, lease, now));
    case 'drained':
      return drained(leases, event.tab, event.epoch, now);
    case 'release':
      return onTab(leases, event.tab, (lease) => giveUp(leases, event.tab, lease, event.by, event.reason, now));
    case 'hand-back':
      return onTab(leases, event.tab, (lease) => handBack(leases, lease, event.by, now));
    case 'lost':
      return onHeldBy(leases, event.participant, 'parked', (lease) => ({ ...lease, parkedUntil: event.until, reason: 'lost the connection' }));
    case 'back':
      return onHeldBy(leases, event.participant, 'back', (lease) => (lease.parkedUntil === undefined ? lease : { ...unparked(lease), reason: 'came back' }));
    case 'left':
      return left(leases, event, now);
  }
}

function openTab(leases: Leases, tab: string, opener: string | undefined, now: number): ControlResult {
  if (leases.has(tab)) return changed(leases, []);
  const parent = opener === undefined ? undefined : leases.get(opener);
  return changed(withLease(leases, tab, inherited(parent, now) ?? free(0, now, 'new tab')), []);
}

/** A popup belongs to whoever has its opener, also when that changes hands at this moment (SE2, CO1). */
function inherited(opener: Lease | undefined, now: number): Lease | undefined {
  if (opener?.state === 'held') return held(opener.holder, opener.takenFrom, 0, now, 'opened by the holder');
  if (opener?.state === 'draining' && opener.to) return held(opener.to, agentIn(opener.from, opener.to), 0, now, 'opened while the wheel changed hands');
  return undefined;
}

function claim(leases: Leases, tab: string, lease: Lease, by: Holder, now: number): ControlResult {
  if (lease.state === 'held' && lease.holder.id === by.id) return lease.parkedUntil === undefined ? changed(leases, []) : reduce(leases, { type: 'back', participant: by.id }, now);
  if (lease.state !== 'free') return refuse(heldBy(lease));
  const next = held(by, undefined, lease.epoch, now, 'first to act');
  return changed(withLease(leases, tab, next), [{ type: 'changed', tab, change: 'claimed', by, lease: next }]);
}

/** A person takes from an agent everywhere in the session unless narrowed; from another person only the tab itself. */
function take(leases: Leases, event: Extract<ControlEvent, { type: 'take' }>, lease: Lease, now: number): ControlResult {
  const blocked = mayNotTake(lease, event.by);
  if (blocked) return refuse(blocked);
  const tabs = event.scope === 'tab' ? [event.tab] : [...leases.keys()].filter((tab) => tab === event.tab || takeable(leases.get(tab), event.by));
  let next = leases;
  const effects: ControlEffect[] = [];
  for (const tab of tabs) {
    const current = next.get(tab);
    if (!current) continue;
    const step = takeOne(tab, current, event.by, now);
    next = withLease(next, tab, step.lease);
    effects.push(...step.effects);
  }
  return changed(next, effects);
}

function takeOne(tab: string, lease: Lease, by: Holder, now: number): { lease: Lease; effects: ControlEffect[] } {
  if (lease.state === 'draining') return { lease: { ...lease, to: by }, effects: [] };
  if (lease.state === 'held' && lease.holder.id === by.id) return returned(tab, lease);
  if (lease.state === 'free') {
    const next = held(by, undefined, lease.epoch, now, 'taken');
    return { lease: next, effects: [{ type: 'changed', tab, change: 'taken', by, lease: next }] };
  }
  const next: Lease = { state: 'draining', epoch: lease.epoch + 1, since: now, reason: 'taken', from: lease.holder, to: by };
  return {
    lease: next,
    effects: [
      { type: 'changed', tab, change: 'taking', by, lease: next },
      { type: 'drain', tab, holder: lease.holder, by, epoch: next.epoch },
    ],
  };
}

/** Whoever takes what is theirs has come back to it. */
function returned(tab: string, lease: HeldLease): { lease: Lease; effects: ControlEffect[] } {
  if (lease.parkedUntil === undefined) return { lease, effects: [] };
  const next = { ...unparked(lease), reason: 'came back' };
  return { lease: next, effects: [{ type: 'changed', tab, change: 'back', by: lease.holder, lease: next }] };
}

function drained(leases: Leases, tab: string, epoch: number, now: number): ControlResult {
  const lease = leases.get(tab);
  if (lease?.state !== 'draining' || lease.epoch !== epoch) return changed(leases, []);
  const { from, to } = lease;
  const back = to?.id === from.id;
  const next = to ? held(to, agentIn(from, to), epoch, now, back ? 'handed back' : 'taken') : free(epoch, now, 'released');
  const change = back ? 'handed-back' : to ? 'taken' : 'released';
  return changed(withLease(leases, tab, next), [
    { type: 'release-input', tab },
    { type: 'changed', tab, change, by: back ? undefined : to, lease: next },
  ]);
}

/** The agent to which `to` will hand back what it takes from `from`. */
function agentIn(from: Holder, to: Holder): Holder | undefined {
  return from.kind === 'agent' && from.id !== to.id ? from : undefined;
}

function giveUp(leases: Leases, tab: string, lease: Lease, by: Holder, reason: string, now: number): ControlResult {
  if (lease.state === 'free') return changed(leases, []);
  if (ownerOf(lease)?.id !== by.id) return refuse(heldBy(lease));
  if (lease.state === 'draining') return changed(withLease(leases, tab, { ...lease, to: undefined }), []);
  const next = free(lease.epoch, now, reason);
  return changed(withLease(leases, tab, next), [
    { type: 'release-input', tab },
    { type: 'changed', tab, change: 'released', by, lease: next },
  ]);
}

/**
 * Gives every tab of the session that this person holds back to the agent it was taken from. A tab taken from nobody goes to the agent of the
 * tab in question; without one it becomes free. What is still draining goes back when that is done.
 */
function handBack(leases: Leases, lease: Lease, by: Holder, now: number): ControlResult {
  if (lease.state === 'free') return refuse(nobody());
  if (ownerOf(lease)?.id !== by.id) return refuse(heldBy(lease));
  let next = leases;
  const effects: ControlEffect[] = [];
  for (const [tab, current] of leases) {
    if (current.state === 'free' || ownerOf(current)?.id !== by.id) continue;
    if (current.state === 'draining') {
      next = withLease(next, tab, { ...current, to: current.from });
      continue;
    }
    const target = current.takenFrom ?? (lease.state === 'held' ? lease.takenFrom : lease.from);
    const back = target ? held(target, undefined, current.epoch, now, 'handed back') : free(current.epoch, now, 'handed back');
    next = withLease(next, tab, back);
    effects.push({ type: 'release-input', tab }, { type: 'changed', tab, change: 'handed-back', by, lease: back });
  }
  return changed(next, effects);
}

type HeldLease = Extract<Lease, { state: 'held' }>;

/** Changes every tab that this participant holds; what stays the same is not told. The epoch stays: nobody else may write meanwhile. */
function onHeldBy(leases: Leases, participant: string, change: ControlChange, act: (lease: HeldLease) => HeldLease): ControlResult {
  let next = leases;
  const effects: ControlEffect[] = [];
  for (const [tab, lease] of leases) {
    if (lease.state !== 'held' || lease.holder.id !== participant) continue;
    const after = act(lease);
    if (after === lease) continue;
    next = withLease(next, tab, after);
    effects.push({ type: 'changed', tab, change, by: lease.holder, lease: after });
  }
  return changed(next, effects);
}

function unparked(lease: HeldLease): HeldLease {
  const { parkedUntil: _parked, ...held } = lease;
  return held;
}

function left(leases: Leases, { participant, why }: Extract<ControlEvent, { type: 'left' }>, now: number): ControlResult {
  let next = leases;
  const effects: ControlEffect[] = [];
  for (const [tab, lease] of leases) {
    if (lease.state === 'free' || ownerOf(lease)?.id !== participant) continue;
    if (lease.state === 'draining') {
      next = withLease(next, tab, { ...lease, to: undefined });
      continue;
    }
    const released = free(lease.epoch, now, why);
    next = withLease(next, tab, released);
    effects.push({ type: 'release-input', tab }, { type: 'changed', tab, change: why, by: lease.holder, lease: released });
  }
  return changed(next, effects);
}

function mayNotTake(lease: Lease, by: Holder): Refusal | undefined {
  if (takeable(lease, by)) return undefined;
  return heldBy(lease);
}

/** Human over agent; never person over person here (that is asked for, CO4), and an agent takes only what is free. */
function takeable(lease: Lease | undefined, by: Holder): boolean {
  if (!lease) return false;
  if (lease.state === 'free') return true;
  if (lease.state === 'draining') return lease.to === undefined || lease.to.id === by.id;
  return lease.holder.id === by.id || (by.kind === 'human' && lease.holder.kind === 'agent');
}

/** May `actor` write to the tab now, at `epoch` (CO2)? Undefined means yes. */
export function fence(lease: Lease | undefined, actor: string, epoch: number): Refusal | undefined {
  if (!lease) return { code: 'TAB_NOT_FOUND', said: { code: 'tabClosed' } };
  if (lease.state === 'held' && lease.holder.id === actor && lease.epoch === epoch) return undefined;
  const name = ownerOf(lease)?.name;
  return { code: 'CONTROL_LOST', said: name === undefined ? { code: 'wheelNobody' } : { code: 'wheelNow', name } };
}

/** May `by` free this tab when it is stuck, without having its wheel (CO9)? A person may unless another person has it, an agent may where nobody else has. Undefined means yes. */
export function mayHelp(lease: Lease | undefined, by: Holder): Refusal | undefined {
  if (!lease) return { code: 'TAB_NOT_FOUND', said: { code: 'tabClosed' } };
  const owner = ownerOf(lease);
  if (!owner || owner.id === by.id || (by.kind === 'human' && owner.kind === 'agent')) return undefined;
  return heldBy(lease);
}

/** Who has the wheel, or will have it when it has changed hands. */
export function ownerOf(lease: Lease): Holder | undefined {
  if (lease.state === 'held') return lease.holder;
  return lease.state === 'draining' ? lease.to : undefined;
}

function held(holder: Holder, takenFrom: Holder | undefined, epoch: number, now: number, reason: string): Lease {
  return { state: 'held', epoch: epoch + 1, since: now, reason, holder, takenFrom };
}

function free(epoch: number, now: number, reason: string): Lease {
  return { state: 'free', epoch: epoch + 1, since: now, reason };
}

function heldBy(lease: Lease): Refusal {
  const name = ownerOf(lease)?.name;
  if (name === undefined) return { code: 'CONTROL_HELD', said: { code: 'wheelPassing' } };
  return { code: 'CONTROL_HELD', said: { code: lease.state === 'draining' ? 'wheelPassingTo' : 'wheelHeld', name } };
}

function nobody(): Refusal {
  return { code: 'CONFLICT', said: { code: 'wheelUnclaimed' } };
}

function onTab(leases: Leases, tab: string, act: (lease: Lease) => ControlResult): ControlResult {
  const lease = leases.get(tab);
  return lease ? act(lease) : refuse({ code: 'TAB_NOT_FOUND', said: { code: 'noTab', id: tab } });
}

function withLease(leases: Leases, tab: string, lease: Lease): Leases {
  return new Map(leases).set(tab, lease);
}

function without(leases: Leases, tab: string): Leases {
  const next = new Map(leases);
  next.delete(tab);
  return next;
}

function changed(leases: Leases, effects: readonly ControlEffect[]): ControlResult {
  return { ok: true, leases, effects };
}

function refuse(refusal: Refusal): ControlResult {
  return { ok: false, refusal };
}
