import type { TimelineEvent } from '@/lib/protocol/views';
import { memberOf, type MemberPrincipal, type Principal } from '@/server/access/principal';

/** The principal of a call and the door it came through; made at the door and passed down. */
export interface Caller {
  readonly principal: Principal;
  readonly door: TimelineEvent['door'];
}

/** A caller who belongs to the workspace. */
export interface MemberCaller extends Caller {
  readonly principal: MemberPrincipal;
}

/** Throws FORBIDDEN for a guest. */
export function memberCaller(caller: Caller): MemberCaller {
  return { ...caller, principal: memberOf(caller.principal) };
}
