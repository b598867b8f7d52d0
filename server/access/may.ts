import { WheelhouseError } from '@/lib/errors/error';
import type { Message } from '@/lib/messages/message';
import { GRANT_MEANINGS, grantsIn, type Grant, type Withheld } from '@/lib/rights/grants';
import type { Principal } from './principal';

/** The thing that a right is checked on, by its address; it need not exist. Refusals repeat its id. */
export type Thing =
  /**
   * A thing of the workspace: its lists, a browser, a key, an invitation, a member. For the caller's own connection, a
   * grant in the workspace or in any session suffices; the caller's own account needs none.
   */
  | {
      readonly kind: 'workspace' | 'browser' | 'key' | 'invitation' | 'member' | 'connection' | 'account';
      readonly id: string;
      readonly workspace: string;
    }
  /** The server itself, whatever the workspace: only its owner and keys of its owner may see it. */
  | { readonly kind: 'server'; readonly id: string; readonly workspace: string }
  /** A session or a thing in one. */
  | {
      readonly kind: 'session' | 'tab' | 'file' | 'download' | 'link';
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
      readonly hint?: Message;
      readonly details?: { readonly grant: Grant } | { readonly reason: Withheld };
    };

/** Whether a principal's credential is still valid, from live state at every check (R3). */
export interface Liveness {
  isLive(principal: Principal): boolean;
}

/**
 * The only function that decides rights (AU3). Doors call it before they look up a thing and again at execution. A
 * thing of another workspace, or in a session without rights, does not exist for the caller (T6).
 */
export type May = (principal: Principal, grant: Grant, thing: Thing) => Decision;

export function createMay(liveness: Liveness): May {
  return (principal, grant, thing) => {
    if (!liveness.isLive(principal))
      return { ok: false, code: 'UNAUTHENTICATED', message: 'This sign-in, key or link has ended.' };
    if (principal.workspace === thing.workspace && principal.rights.withheld)
      return withheld(principal.rights.withheld, thing);
    if (principal.workspace !== thing.workspace || !isKnown(principal, thing))
      return { ok: false, code: 'NOT_FOUND', message: missingText(thing) };
    if (has(principal, grant, thing)) return { ok: true };
    if (thing.kind === 'server')
      return { ok: false, code: 'FORBIDDEN', message: 'Only the owner of this server may see and change this.' };
    return {
      ok: false,
      code: 'FORBIDDEN',
      details: { grant },
      message: `${principal.name} may not ${GRANT_MEANINGS[grant]}: that needs the grant "${grant}".`,
    };
  };
}

/** Who must cure something first sees that the workspace is there, and reaches their account. */
function withheld(reason: Withheld, { kind }: Thing): Decision {
  if (kind === 'connection' || kind === 'account') return { ok: true };
  const [message, hint] = [{ code: 'secondFactorNeeded' }, { code: 'secondFactorCure' }] as const;
  return { ok: false, code: 'FORBIDDEN', message, hint, details: { reason } };
}

function isKnown({ rights: { sessions, named } }: Principal, thing: Thing): boolean {
  if (!('session' in thing)) return true;
  const own = named.get(thing.session);
  return own ? own.size > 0 : sessions !== undefined;
}

function has(principal: Principal, grant: Grant, thing: Thing): boolean {
  if ('session' in thing) return grantsIn(principal, thing.session).has(grant);
  const { server, workspace, sessions, named } = principal.rights;
  if (thing.kind === 'account') return true;
  if (thing.kind === 'server') return server === true && workspace.has(grant);
  if (thing.kind !== 'connection') return workspace.has(grant);
  return [workspace, sessions, ...named.values()].some((grants) => grants?.has(grant));
}

/** The same text as for a session that does not exist, so that a caller cannot tell the two apart. */
function missingText(thing: Thing): string | Message {
  return 'session' in thing
    ? { code: 'noSession', id: thing.session.slice(0, 100) }
    : `There is no ${thing.kind} "${thing.id.slice(0, 100)}".`;
}

/**
 * Converts a refusal to an error: UNAUTHENTICATED, NOT_FOUND, or FORBIDDEN with the grant that lacks, or the reason why
 * all are withheld, in its details.
 */
export function refusalOf(decision: Decision): WheelhouseError | undefined {
  if (decision.ok) return undefined;
  const { code, message, hint, details } = decision;
  return new WheelhouseError(code, message, { details, ...(hint && { hint }) });
}

/** Throws the error of a refusal. */
export function demand(decision: Decision): void {
  const refusal = refusalOf(decision);
  if (refusal) throw refusal;
}
