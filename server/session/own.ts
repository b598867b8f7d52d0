import { ownerOf } from '@/lib/control/rules';
import { WheelhouseError } from '@/lib/errors/error';
import { credentialName, isAgentOf, type Principal } from '@/server/access/principal';
import type { Leases } from './leases';

/**
 * In a Chrome that others share, only who manages the server may leave pages that flood it alone (BR7). Throws
 * FORBIDDEN.
 */
export function demandFloodPolicy(
  { grants }: Pick<Principal, 'grants'>,
  {
    policy,
    isolation,
  }: {
    readonly policy?: { readonly limitFloods?: boolean | undefined } | undefined;
    readonly isolation?: string | undefined;
  },
): void {
  if (policy?.limitFloods !== false || isolation === 'browser' || grants.has('manage')) return;
  throw new WheelhouseError(
    'FORBIDDEN',
    '"policy.limitFloods": false would let this session flood a Chrome that others share.',
    { hint: 'Ask for a Chrome of its own ("isolation": "browser"), or use a key that manages the server.' },
  );
}

/** A thing of a session that is changed without an action: a file, its name, a list of what its pages logged. */
interface Own {
  /** As the refusal begins: `The file`. */
  readonly what: string;
  /** Participant id, or `key:…` as `credentialName` gives it, of who made it, where that is known. */
  readonly owner: string | undefined;
  /** The tab it belongs to; left out: the whole session. */
  readonly tab?: string;
}

/**
 * Only who made a thing, who has the wheel, or who manages the server may change it. Throws CONTROL_HELD while somebody
 * else has the wheel, else FORBIDDEN.
 */
export function demandOwn(desk: Leases, principal: Principal, { what, owner, tab }: Own): void {
  if (principal.grants.has('manage') || (owner !== undefined && isHis(principal, owner))) return;
  const leases = [...desk.leases].filter(([id]) => tab === undefined || id === tab).map(([, lease]) => ownerOf(lease));
  const holders = leases.filter((holder) => holder !== undefined);
  if (holders.some(({ id }) => id === principal.id)) return;
  const [other] = holders;
  const cure = 'Take the wheel first: POST …/tabs/:t/control {"do":"take"}, or ask who made it.';
  if (other)
    throw new WheelhouseError('CONTROL_HELD', `${what} is not yours, and ${other.name} has the wheel.`, {
      hint: 'Wait for the wheel: GET …/tabs/:t/control/wait, or ask who made it.',
      details: { holder: other },
    });
  throw new WheelhouseError('FORBIDDEN', `${what} is not yours, and you do not have the wheel.`, { hint: cure });
}

/** Agents of one key are one owner: the name that each gives itself proves nothing. */
function isHis(principal: Principal, owner: string): boolean {
  const { credential } = principal;
  return owner === principal.id || owner === credentialName(credential) || isAgentOf(credential, owner);
}
