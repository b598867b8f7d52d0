import { isGuestId } from '@/lib/links/guest-name';
import type { PrivateHold, DrivenLease, Holder, Lease, LeaseMap, Refusal } from './lease';

/** The rules on what an actor may do with a lease in its present state (CO1, CO2, CO9). */

/** The lease, if it has a holder. */
export function driven(lease: Lease | undefined): DrivenLease | undefined {
  return lease && 'holder' in lease ? lease : undefined;
}

/** The private hold of the tab, if there is one (CO8). */
export function privateHoldOf(lease: Lease | undefined): PrivateHold | undefined {
  return lease && 'privateHold' in lease ? lease.privateHold : undefined;
}

/** Whether a private hold keeps the lease from moderators; that of a guest of a share link does not (AU4). */
export function keepsPrivately({ holder, privateHold }: DrivenLease): boolean {
  return privateHold !== undefined && !isGuestId(holder.id);
}

/** The holder of the lease; while it drains, the next holder. */
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
 * May `by` free this stuck tab without holding its lease (CO9)? A person may unless another person holds it, an agent
 * only where no one else does. Undefined means yes.
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

/** A person outranks an agent; an agent takes only a free lease, and must ask a person (CO4). */
export function mayTake(lease: Lease | undefined, by: Holder): boolean {
  if (!lease) return false;
  const owner = ownerOf(lease);
  return owner === undefined || owner.id === by.id || outranks(by, owner);
}

/** Tabs whose lease `by` holds or is about to get; only `tab` itself when given. */
export function tabsOf(leases: LeaseMap, by: Holder, tab: string, scope: 'session' | 'tab'): string[] {
  return [...leases]
    .filter(([id, lease]) => ownerOf(lease)?.id === by.id && (id === tab || scope === 'session'))
    .map(([id]) => id);
}

export function heldBy(lease: Lease): Refusal {
  const privateHold = privateHoldOf(lease);
  if (privateHold) return { code: 'CONTROL_HELD', said: { code: 'wheelPrivate', name: privateHold.by.name } };
  const name = ownerOf(lease)?.name;
  if (name === undefined) return { code: 'CONTROL_HELD', said: { code: 'wheelPassing' } };
  return { code: 'CONTROL_HELD', said: { code: lease.state === 'draining' ? 'wheelPassingTo' : 'wheelHeld', name } };
}
