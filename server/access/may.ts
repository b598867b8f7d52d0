import { WheelhouseError } from '@/lib/errors/error';
import type { Message } from '@/lib/messages/message';
import { GRANT_MEANINGS, grantsIn, type Grant } from './grants';
import type { Principal } from './principal';

/** What is asked about, by its address: it need not exist. Ids are only repeated in refusals. */
export type Thing =
  /**
   * What is the workspace's: its lists, a browser, a key. For the caller's own connection a grant in the workspace or
   * in any session is enough.
   */
  | { readonly kind: 'workspace' | 'browser' | 'key' | 'connection'; readonly id: string; readonly workspace: string }
  /** A session, or what belongs to one. */
  | {
      readonly kind: 'session' | 'tab' | 'file' | 'download';
      readonly id: string;
      readonly session: string;
      readonly workspace: string;
    };

export type Decision =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly code: 'UNAUTHENTICATED' | 'NOT_FOUND' | 'FORBIDDEN';
      readonly message: string | Message;
      readonly grant?: Grant;
    };

/** Is this principal's credential still what it was? Answered from live state at every question (R3). */
export interface Liveness {
  isLive(principal: Principal): boolean;
}

/**
 * The one function that decides rights (AU3), asked by the doors before a thing is looked up and again at execution. A
 * thing of another workspace, or in a session that the principal has no rights in, does not exist for the asker (T6).
 */
export type May = (principal: Principal, grant: Grant, thing: Thing) => Decision;

export function createMay(liveness: Liveness): May {
  return (principal, grant, thing) => {
    if (!liveness.isLive(principal))
      return { ok: false, code: 'UNAUTHENTICATED', message: 'This sign-in or key has ended.' };
    if (principal.workspace !== thing.workspace || !isKnown(principal, thing))
      return { ok: false, code: 'NOT_FOUND', message: missingText(thing) };
    if (has(principal, grant, thing)) return { ok: true };
    return {
      ok: false,
      code: 'FORBIDDEN',
      grant,
      message: `${principal.name} may not ${GRANT_MEANINGS[grant]}: that needs the grant "${grant}".`,
    };
  };
}

function isKnown({ rights }: Principal, thing: Thing): boolean {
  return !('session' in thing) || rights.sessions !== undefined || rights.named.has(thing.session);
}

function has(principal: Principal, grant: Grant, thing: Thing): boolean {
  if ('session' in thing) return grantsIn(principal, thing.session).has(grant);
  const { workspace, sessions, named } = principal.rights;
  if (thing.kind !== 'connection') return workspace.has(grant);
  return [workspace, sessions, ...named.values()].some((grants) => grants?.has(grant));
}

/** The words of the lookup of a session that is not there, so that the two cannot be told apart. */
function missingText(thing: Thing): string | Message {
  return 'session' in thing
    ? { code: 'noSession', id: thing.session.slice(0, 100) }
    : `There is no ${thing.kind} "${thing.id.slice(0, 100)}".`;
}

/** The refusal as an error: UNAUTHENTICATED, NOT_FOUND, or FORBIDDEN with the grant in its details. */
export function refusalOf(decision: Decision): WheelhouseError | undefined {
  if (decision.ok) return undefined;
  const details = decision.grant === undefined ? undefined : { grant: decision.grant };
  return new WheelhouseError(decision.code, decision.message, { details });
}

/** Throws the refusal. */
export function demand(decision: Decision): void {
  const refusal = refusalOf(decision);
  if (refusal) throw refusal;
}
