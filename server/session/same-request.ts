import { createHash } from 'node:crypto';
import type { Action } from '@/lib/actions/kinds';
import { WheelhouseError } from '@/lib/errors/error';
import type { ActionKey } from './ledger';

/** The same request once more: how it is known, and what is said of it when it has no answer to give (CO10). */

/**
 * The tab by the name it was sent to: `active` may mean another one when the same request comes again. How long its
 * sender waits is no part of it: whoever was cut off has less time left.
 */
export function fingerprintOf(action: Action, tabName: string): string {
  return createHash('sha256')
    .update(JSON.stringify([tabName, { ...action, timeoutMs: undefined }]))
    .digest('hex');
}

export function slotOf({ participant, action }: ActionKey): string {
  return JSON.stringify([participant, action]);
}

export function sameId(id: string): WheelhouseError {
  return new WheelhouseError(
    'CONFLICT',
    `The id "${id.slice(0, 100)}" was used for another action in the last 10 minutes.`,
    {
      hint: 'Use a new id for a new action.',
      details: { fields: [{ field: 'id', problem: 'was used for another action' }] },
    },
  );
}

export function unknownOutcome(): WheelhouseError {
  return new WheelhouseError('OUTCOME_UNKNOWN', 'The server stopped while this action was under way.');
}

/** It was carried out: the answer must not invite to do it once more. */
export function unstoredOutcome(cause: unknown): WheelhouseError {
  return new WheelhouseError('OUTCOME_UNKNOWN', 'The action was begun, and its outcome could not be stored.', {
    cause,
  });
}

/** Whoever sent it again had less time than it needs. */
export function stillRunning(cause: WheelhouseError): WheelhouseError {
  return new WheelhouseError('TIMEOUT', 'The action is still being carried out.', {
    hint: 'Send it again with the same id to get its answer.',
    details: cause.details,
    cause,
  });
}
