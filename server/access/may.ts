import { WheelhouseError } from '@/lib/errors/error';
import { GRANT_MEANINGS, type Grant } from './grants';
import type { Principal } from './principal';

/** What is asked about: only its workspace decides today; kind and id name it in the refusal. */
export interface Thing {
  readonly kind: 'workspace' | 'browser' | 'session' | 'key';
  readonly id: string;
  readonly workspace: string;
}

export type Decision =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly code: 'UNAUTHENTICATED' | 'NOT_FOUND' | 'FORBIDDEN';
      readonly message: string;
      readonly grant?: Grant;
    };

/** Is this principal's credential still what it was? Answered from live state at every question (R3). */
export interface Liveness {
  isLive(principal: Principal): boolean;
}

/**
 * The one function that decides rights (AU3), asked at the handshake, at every event and again at execution. A thing of
 * another workspace does not exist for the asker (T6).
 */
export type May = (principal: Principal, grant: Grant, thing: Thing) => Decision;

export function createMay(liveness: Liveness): May {
  return (principal, grant, thing) => {
    if (!liveness.isLive(principal))
      return { ok: false, code: 'UNAUTHENTICATED', message: 'This sign-in or key has ended.' };
    if (principal.workspace !== thing.workspace)
      return { ok: false, code: 'NOT_FOUND', message: `There is no ${thing.kind} "${thing.id}".` };
    if (principal.grants.has(grant)) return { ok: true };
    return {
      ok: false,
      code: 'FORBIDDEN',
      grant,
      message: `${principal.name} may not ${GRANT_MEANINGS[grant]}: that needs the grant "${grant}".`,
    };
  };
}

/** Throws the refusal: UNAUTHENTICATED, NOT_FOUND, or FORBIDDEN with the grant in its details. */
export function demand(decision: Decision): void {
  if (decision.ok) return;
  const details = decision.grant === undefined ? undefined : { grant: decision.grant };
  throw new WheelhouseError(decision.code, decision.message, { details });
}
