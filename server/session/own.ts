import { ownerOf } from '@/lib/control/rules';
import { WheelhouseError } from '@/lib/errors/error';
import { grantsIn } from '@/server/access/grants';
import { credentialName, isAgentOf, type Credential, type Principal } from '@/server/access/principal';
import type { Leases } from './leases';

/**
 * In a Chrome that others share, only who manages the server may leave pages that flood it alone (BR7). Throws
 * FORBIDDEN.
 */
export function demandFloodPolicy(
  { rights }: Pick<Principal, 'rights'>,
  {
    policy,
    isolation,
  }: {
    readonly policy?: { readonly limitFloods?: boolean | undefined } | undefined;
    readonly isolation?: string | undefined;
  },
): void {
  if (policy?.limitFloods !== false || isolation === 'browser' || rights.workspace.has('manage')) return;
  throw new WheelhouseError(
    'FORBIDDEN',
    '"policy.limitFloods": false would let this session flood a Chrome that others share.',
    { hint: 'Ask for a Chrome of its own ("isolation": "browser"), or use a key that manages the server.' },
  );
}

/** Who made a thing: the credential that a session was made with, or the participant id that put a file there. */
export type Maker = { readonly credential: Credential } | { readonly participant: string };

/** A thing of a session that is changed without an action: a file, its name, a list of what its pages logged. */
interface Own {
  /** As the refusal begins: `The file`. */
  readonly what: string;
  readonly session: { readonly id: string; readonly leases: Pick<Leases, 'leases'> };
  /** Undefined: nobody knows. */
  readonly maker: Maker | undefined;
  /** The tab it belongs to; left out: the whole session. */
  readonly tab?: string;
}

/**
 * Only who made a thing, who has the wheel, or who manages the server may change it. Throws CONTROL_HELD while somebody
 * else has the wheel, else FORBIDDEN.
 */
export function demandOwn(principal: Principal, { what, session: { id, leases }, maker, tab }: Own): void {
  if (grantsIn(principal, id).has('manage') || (maker !== undefined && isMadeBy(principal, maker))) return;
  const concerned = [...leases.leases].filter(([on]) => tab === undefined || on === tab);
  const holders = concerned.map(([, lease]) => ownerOf(lease)).filter((holder) => holder !== undefined);
  if (holders.some((holder) => holder.id === principal.id)) return;
  const [other] = holders;
  const cure = 'Take the wheel first: POST …/tabs/:t/control {"do":"take"}, or ask who made it.';
  if (other)
    throw new WheelhouseError('CONTROL_HELD', `${what} is not yours, and ${other.name} has the wheel.`, {
      hint: 'Wait for the wheel: GET …/tabs/:t/control/wait, or ask who made it.',
      details: { holder: other },
    });
  throw new WheelhouseError('FORBIDDEN', `${what} is not yours, and you do not have the wheel.`, { hint: cure });
}

/** Agents of one key are one maker: the name that each gives itself proves nothing. */
function isMadeBy({ id, credential }: Principal, maker: Maker): boolean {
  if ('credential' in maker) return credentialName(maker.credential) === credentialName(credential);
  return maker.participant === id || isAgentOf(credential, maker.participant);
}
