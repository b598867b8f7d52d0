import { ownerOf } from '@/lib/control/rules';
import { WheelhouseError } from '@/lib/errors/error';
import { grantsIn } from '@/lib/rights/grants';
import { credentialName, isAgentOf, type Credential, type Principal } from '@/server/access/principal';
import type { Leases } from './leases';

/** In a shared Chrome, only a manager of the server may turn off flood limits (BR7). Throws FORBIDDEN. */
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

/** The maker of an object: the credential that made a session, or the participant id that put a file there. */
export type Maker = { readonly credential: Credential } | { readonly participant: string };

/** An object of a session that requests change without an action: a file, its name, a list of page logs. */
interface Own {
  /** The first words of the error: `The file`. */
  readonly what: string;
  readonly session: { readonly id: string; readonly leases: Pick<Leases, 'leases'> };
  /** Undefined when unknown. */
  readonly maker: Maker | undefined;
  /** The tab it belongs to; left out: the whole session. */
  readonly tab?: string;
}

/**
 * Allows a change only to the object's maker, a holder of the lease who is no guest, or a manager of the server.
 * Throws CONTROL_HELD while another participant has the lease, else FORBIDDEN.
 */
export function demandOwn(principal: Principal, { what, session: { id, leases }, maker, tab }: Own): void {
  if (grantsIn(principal, id).has('manage') || (maker !== undefined && isMadeBy(principal, maker))) return;
  // Otherwise the wheel of one tab would give a guest the files of the whole session (AU4).
  if (principal.kind === 'guest')
    throw new WheelhouseError('FORBIDDEN', `${what} is not yours.`, { hint: 'Ask who made it.' });
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

/** Agents of one key count as one maker: their names are self-chosen and prove nothing. */
function isMadeBy({ id, credential }: Principal, maker: Maker): boolean {
  if ('credential' in maker) return credentialName(maker.credential) === credentialName(credential);
  return maker.participant === id || isAgentOf(credential, maker.participant);
}
