import { createHash } from 'node:crypto';
import type { Action } from '@/lib/actions/kinds';
import { WheelhouseError } from '@/lib/errors/error';
import type { ActionKey } from './ledger';

/** Recognises repeated requests and makes the errors for those without a reply to repeat (CO10). */

/**
 * Hash of an action and the tab name it was sent to, because `active` may mean another tab on a repeat. Without
 * `timeoutMs`: a caller who was cut off has less time left.
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

/** The action was carried out, so the error must not invite a repeat. */
export function unstoredOutcome(cause: unknown): WheelhouseError {
  return new WheelhouseError('OUTCOME_UNKNOWN', 'The action was begun, and its outcome could not be stored.', {
    cause,
  });
}

/** The error for a repeated request whose budget ends before the running action. */
export function stillRunning(cause: WheelhouseError): WheelhouseError {
  return new WheelhouseError('TIMEOUT', 'The action is still being carried out.', {
    hint: 'Send it again with the same id to get its answer.',
    details: cause.details,
    cause,
  });
}
