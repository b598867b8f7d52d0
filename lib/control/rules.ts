import type { PrivateHold, DrivenLease, Holder, Lease, LeaseMap, Refusal } from './lease';

/** Who may what with a lease as it is (CO1, CO2, CO9). */

/** The lease with its holder, when somebody is at the wheel. */
export function driven(lease: Lease | undefined): DrivenLease | undefined {
  return lease && 'holder' in lease ? lease : undefined;
}

/** What is kept private of the tab, by whom and why (CO8). */
export function privateHoldOf(lease: Lease | undefined): PrivateHold | undefined {
  return lease && 'cover' in lease ? lease.cover : undefined;
}

/** Who has the wheel, or will have it when it has changed hands. */
export function ownerOf(lease: Lease): Holder | undefined {
  return lease.state === 'draining' ? lease.to : driven(lease)?.holder;
}

/** May `actor` write to the tab now, at `epoch` (CO2)? Undefined means yes. */
export function fence(lease: Lease | undefined, actor: string, epoch: number): Refusal | undefined {
  if (!lease) return { code: 'TAB_NOT_FOUND', said: { code: 'tabClosed' } };
  if (driven(lease)?.holder.id === actor && lease.epoch === epoch) return undefined;
  const name = ownerOf(lease)?.name;
  return { code: 'CONTROL_LOST', said: name === undefined ? { code: 'wheelNobody' } : { code: 'wheelNow', name } };
}

/**
 * May `by` free this tab when it is stuck, without having its wheel (CO9)? A person may unless another person has it,
 * an agent may where nobody else has. Undefined means yes.
 */
export function mayHelp(lease: Lease | undefined, by: Holder): Refusal | undefined {
  if (!lease) return { code: 'TAB_NOT_FOUND', said: { code: 'tabClosed' } };
  const owner = ownerOf(lease);
  if (!owner || owner.id === by.id || outranks(by, owner)) return undefined;
  return heldBy(lease);
}

/** A person may take from an agent at once. */
export function outranks(by: Holder, other: Holder): boolean {
  return by.kind === 'human' && other.kind === 'agent';
}

/** Human over agent; an agent takes only what is free, and from a person is asked (CO4). */
export function mayTake(lease: Lease | undefined, by: Holder): boolean {
  if (!lease) return false;
  const owner = ownerOf(lease);
  return owner === undefined || owner.id === by.id || outranks(by, owner);
}

/** Tabs on which `by` has, or is about to get, the wheel; only `tab` itself when narrowed to it. */
export function tabsOf(leases: LeaseMap, by: Holder, tab: string, scope: 'session' | 'tab'): string[] {
  return [...leases]
    .filter(([id, lease]) => ownerOf(lease)?.id === by.id && (id === tab || scope === 'session'))
    .map(([id]) => id);
}

export function heldBy(lease: Lease): Refusal {
  const cover = privateHoldOf(lease);
  if (cover) return { code: 'CONTROL_HELD', said: { code: 'wheelPrivate', name: cover.by.name } };
  const name = ownerOf(lease)?.name;
  if (name === undefined) return { code: 'CONTROL_HELD', said: { code: 'wheelPassing' } };
  return { code: 'CONTROL_HELD', said: { code: lease.state === 'draining' ? 'wheelPassingTo' : 'wheelHeld', name } };
}
