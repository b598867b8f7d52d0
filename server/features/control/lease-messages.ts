import type { ControlEffect, Holder, Lease } from '@/lib/control/lease';
import { privateHoldOf, ownerOf } from '@/lib/control/rules';
import type { Message } from '@/lib/messages/message';
import { RESTARTED } from '@/server/session/leases';

type Change = Extract<ControlEffect, { type: 'changed' }>['change'];

/**
 * The timeline message of a lease change; undefined for intermediate states. `by` is undefined when the intended
 * receiver gave the lease up first.
 */
export function leaseChangeMessage(
  change: Change,
  lease: Lease,
  by: Holder | undefined,
  note = '',
): Message | undefined {
  return by ? changeBy(change, lease, note) : changeAlone(lease);
}

/** What is said when a holder loses the lease and nobody takes it. */
const LOST = {
  released: 'wheelReleased',
  left: 'wheelLost',
  idle: 'wheelIdle',
  'signed out': 'wheelSignedOut',
  'no right': 'wheelNoRight',
  forgotten: 'wheelForgotten',
} as const;

function changeBy(change: Change, lease: Lease, note: string): Message | undefined {
  switch (change) {
    case 'claimed':
      return { code: 'wheelStarted' };
    case 'taking':
    case 'given':
      return undefined;
    case 'taken':
      return { code: 'wheelTaken' };
    case 'giving':
      return givenTo(ownerOf(lease)?.name ?? '', note);
    case 'released':
    case 'left':
    case 'idle':
    case 'signed out':
    case 'no right':
    case 'forgotten':
      return { code: LOST[change] };
    case 'parked':
      return { code: lease.reason === RESTARTED ? 'wheelKept' : 'wheelParked' };
    case 'back':
      return { code: 'wheelFound' };
    case 'handed-back':
      return backTo(ownerOf(lease)?.name, note);
    case 'hidden':
      return began(privateHoldOf(lease)?.reason ?? '');
    case 'shown':
      return { code: 'privateEnded' };
    case 'field-left':
      return { code: 'privateFieldLeft' };
    case 'asked':
    case 'denied':
    case 'unanswered':
    case 'withdrawn':
      return asking(change, lease);
  }
}

function asking(change: 'asked' | 'denied' | 'unanswered' | 'withdrawn', lease: Lease): Message {
  const name = ownerOf(lease)?.name ?? '';
  switch (change) {
    case 'asked':
      return { code: lease.state === 'asked' && lease.atEnd === 'passes' ? 'wheelTaking' : 'wheelAsked', name };
    case 'denied':
      return { code: 'wheelDenied' };
    case 'unanswered':
      return { code: 'wheelUnanswered', name };
    case 'withdrawn':
      return { code: 'wheelWithdrawn' };
  }
}

function began(reason: string): Message {
  return reason === '' ? { code: 'privateBegan' } : { code: 'privateBeganFor', reason };
}

function givenTo(name: string, note: string): Message {
  return note === '' ? { code: 'wheelGiven', name } : { code: 'wheelGivenNote', name, note };
}

function backTo(name: string | undefined, note: string): Message {
  if (name === undefined) return note === '' ? { code: 'wheelFreed' } : { code: 'wheelFreedNote', note };
  return note === '' ? { code: 'wheelBack', name } : { code: 'wheelBackNote', name, note };
}

/** The message where the participant who was taking the lease gave it up before they had it. */
function changeAlone(lease: Lease): Message {
  const name = ownerOf(lease)?.name;
  return name === undefined ? { code: 'wheelFree' } : { code: 'wheelStays', name };
}
