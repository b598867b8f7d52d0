import type { ControlEffect, ControlEvent, ControlResult, Lease, LeaseMap } from './lease';
import { changeLease, onTab, refuse, withoutRequest, changedStep, unchanged } from './parts';
import { privateHoldOf, driven, heldBy } from './rules';

/**
 * Transitions of a private hold: only its holder sees the tab (CO8). Who may write does not change, and neither does
 * the epoch.
 */

/** Only for a person who holds the lease. A second call replaces reason and end. */
export function beginPrivate(
  leases: LeaseMap,
  { tab, by, reason, until }: Extract<ControlEvent, { type: 'hide' }>,
  now: number,
): ControlResult {
  return onTab(leases, tab, (lease) => {
    const mine = driven(lease);
    if (mine?.holder.id !== by.id)
      return refuse(lease.state === 'free' ? { code: 'CONFLICT', said: { code: 'privateUnheld' } } : heldBy(lease));
    if (by.kind !== 'human') return refuse({ code: 'CONFLICT', said: { code: 'privateForPeople' } });
    if (mine.state === 'asked' && mine.atEnd === 'passes')
      return refuse({ code: 'CONFLICT', said: { code: 'wheelUndeniable', name: mine.asker.name } });
    if (mine.privateHold?.reason === reason && mine.privateHold.until === until) return unchanged(leases);
    const present = mine.state === 'parked' ? withoutRequest(mine, 'came back') : mine;
    const covered: Lease = { ...present, privateHold: { by, reason, until, since: mine.privateHold?.since ?? now } };
    return changeLease(leases, tab, changedStep(tab, 'hidden', by, covered));
  });
}

/** Changes nothing if the tab is not private. */
export function endPrivate(leases: LeaseMap, { tab, by, why }: Extract<ControlEvent, { type: 'show' }>): ControlResult {
  return onTab(leases, tab, (lease) => {
    const mine = driven(lease);
    if (mine?.holder.id !== by.id) return privateHoldOf(lease) ? refuse(heldBy(lease)) : unchanged(leases);
    if (!mine.privateHold) return unchanged(leases);
    return changeLease(
      leases,
      tab,
      changedStep(tab, why === 'ended' ? 'shown' : 'field-left', by, { ...mine, privateHold: undefined }),
    );
  });
}

/**
 * Adds a `private-hold` effect wherever a transition began or ended a private hold. It compares the leases before and
 * after, so no transition can forget the effect.
 */
export function withHoldEffects(before: LeaseMap, result: ControlResult): ControlResult {
  if (!result.ok || result.leases === before) return result;
  const tabs = new Set([...before.keys(), ...result.leases.keys()]);
  const found = [...tabs].flatMap((tab): ControlEffect[] => {
    const [was, is] = [privateHoldOf(before.get(tab)), privateHoldOf(result.leases.get(tab))];
    return was === is ? [] : [{ type: 'private-hold', tab, privateHold: is }];
  });
  return found.length === 0 ? result : { ...result, effects: [...found, ...result.effects] };
}
