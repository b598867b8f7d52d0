import { withHoldEffects, beginPrivate, endPrivate } from './private-hold';
import type { ControlEvent, ControlResult, LeaseMap } from './lease';
import { free, changeLease, unchanged, type Unsettled } from './parts';
import { deny, giveUp, grant, handBack, handOver, request } from './passing';
import { back, due, left, lost, renewed, reopened } from './presence';
import { takeFree, drained, popupLease, take } from './taking';

const ALL_SETTLED: Unsettled = new Set();

/**
 * The only way leases change (CO1): pure, so that every interleaving can be tested. `now` is monotonic milliseconds. A
 * tab in `unsettled` drains also when its holder gives it up, so that nothing of theirs lands afterwards.
 */
export function reduce(
  leases: LeaseMap,
  event: ControlEvent,
  now: number,
  unsettled: Unsettled = ALL_SETTLED,
): ControlResult {
  if (event.type === 'tab-reopened') return withHoldEffects(leases, reopened(leases, event, now));
  if (event.type === 'tab-opened') return withHoldEffects(leases, openTab(leases, event, now));
  if (event.type === 'tab-closed') return withHoldEffects(leases, closeTab(leases, event.tab));
  return withHoldEffects(leases, transition(leases, event, now, unsettled));
}

type LeaseEvent = Exclude<ControlEvent, { type: `tab-${string}` }>;

function transition(leases: LeaseMap, event: LeaseEvent, now: number, unsettled: Unsettled): ControlResult {
  switch (event.type) {
    case 'take-free':
      return takeFree(leases, event.tab, event.by, now);
    case 'take':
      return take(leases, event, now);
    case 'drained':
      return drained(leases, event.tab, event.epoch, now);
    case 'request':
      return request(leases, event, now);
    case 'grant':
      return grant(leases, event, now);
    case 'deny':
      return deny(leases, event.tab, event.by);
    case 'hand-over':
      return handOver(leases, event, now);
    case 'hand-back':
      return handBack(leases, event, now, unsettled);
    case 'release':
      return giveUp(leases, event, now, unsettled);
    case 'hide':
      return beginPrivate(leases, event, now);
    case 'show':
      return endPrivate(leases, event);
    case 'due':
      return due(leases, event.tab, now, unsettled);
    case 'lost':
      return lost(leases, event);
    case 'back':
      return back(leases, event.participant);
    case 'left':
      return left(leases, event, now, unsettled);
    case 'renewed':
      return renewed(leases);
  }
}

function openTab(
  leases: LeaseMap,
  { tab, opener, epoch = 0 }: Extract<ControlEvent, { type: 'tab-opened' }>,
  now: number,
): ControlResult {
  if (leases.has(tab)) return unchanged(leases);
  const parent = opener === undefined ? undefined : leases.get(opener);
  return changeLease(leases, tab, { lease: popupLease(parent, now) ?? free(epoch, now, 'new tab'), effects: [] });
}

function closeTab(leases: LeaseMap, tab: string): ControlResult {
  const next = new Map(leases);
  next.delete(tab);
  return { ok: true, leases: next, effects: [] };
}
