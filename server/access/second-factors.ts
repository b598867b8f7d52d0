import { WheelhouseError } from '@/lib/errors/error';
import type { SecondFactorKind } from '@/lib/people/factors';
import type { AccountFactors } from '@/server/store/accounts';
import type { SignIn } from '@/server/store/credentials';
import type { PeopleTables } from '@/server/store/store';
import type { LiveRights } from './live-rights';
import type { AccessParts } from './parts';
import type { HumanPrincipal } from './principal';
import { demandLive } from './still-live';

/**
 * The person has set up a second factor: their sign-in counts with it at once in the workspaces that require one. One
 * that counts already keeps what it has proved. Throws UNAUTHENTICATED when the sign-in has ended meanwhile, CONFLICT
 * when the person does not have the factor any more.
 */
export async function setUp(
  { store, rights, now }: Pick<AccessParts, 'store' | 'rights' | 'now'>,
  by: HumanPrincipal,
  kind: SecondFactorKind,
): Promise<void> {
  const { person, credential } = by;
  const { id: signIn } = credential;
  await store.change(async (tables) => {
    const { accounts, signIns } = tables;
    await demandLive(tables, by, now());
    const { code, passkeys, oidc } = await accounts.factorsOf(person);
    if (!{ code, passkey: passkeys > 0, oidc }[kind])
      throw new WheelhouseError('CONFLICT', 'The new second factor was removed in the meantime.');
    const own = (await signIns.list(person, now())).find(({ id }) => id === signIn);
    if (own && !rights.proves(own)) await signIns.setSecondFactor(signIn, kind);
  });
  if (!rights.counts(signIn)) rights.apply({ kind: 'sign-in', signIn, person, counts: true });
}

/** Call it after the commit that ended a second factor, with the sign-ins that had proved it. */
export function notCounting(
  { rights }: { readonly rights: LiveRights },
  signIns: readonly Pick<SignIn, 'id' | 'person'>[],
): void {
  for (const { id: signIn, person } of signIns) rights.apply({ kind: 'sign-in', signIn, person, counts: false });
}

/** The sign-ins that a removed passkey or provider leaves. */
interface Removal {
  /** Ids of those that were made by it, but for that of the person who removed it: they end. */
  readonly ended: readonly string[];
  /** They go on, and do not count with a second factor any more. */
  readonly lost: readonly Pick<SignIn, 'id' | 'person'>[];
}

/**
 * A passkey or the provider of a person was removed, in the same commit: sign-ins elsewhere by a stolen one end.
 * Sign-ins do not say which passkey made them, so those by any passkey end. With a credential, the sign-in of the
 * caller goes on.
 *
 * @param last whether the person has no other passkey
 */
export async function endMadeBy(
  { signIns }: Pick<PeopleTables, 'signIns'>,
  kind: 'passkey' | 'oidc',
  { person, credential }: Pick<HumanPrincipal, 'person'> & Partial<Pick<HumanPrincipal, 'credential'>>,
  { last, now }: { readonly last: boolean; readonly now: Date },
): Promise<Removal> {
  const ended = await signIns.revokeMadeBy(person, kind, credential?.id, now);
  return { ended, lost: last ? await signIns.endSecondFactor(person, kind) : [] };
}

/** Call it after the commit of `endMadeBy`. */
export function removed({ rights, live }: Pick<AccessParts, 'rights' | 'live'>, { ended, lost }: Removal): void {
  notCounting({ rights }, lost);
  for (const id of ended) live.bump({ kind: 'cookie', id });
}

/**
 * Throws FORBIDDEN where the person has a second factor and the caller's sign-in does not count with one: otherwise
 * their password alone would be enough to set up another factor, or to remove theirs.
 */
export async function demandCounting(
  { accounts }: Pick<PeopleTables, 'accounts'>,
  rights: LiveRights,
  { person, credential }: HumanPrincipal,
): Promise<void> {
  if (rights.counts(credential.id)) return;
  const { code, passkeys, oidc } = await accounts.factorsOf(person);
  if (!code && passkeys === 0 && !oidc) return;
  throw new WheelhouseError('FORBIDDEN', 'You have a second factor, and this sign-in was made without it.', {
    hint: 'Sign in again with your code, passkey or provider. If you have lost it, ask an admin to reset it.',
    details: { proof: 'second-factor' },
  });
}

/** Whether an admin can reset a second factor of the person; not passkeys that are their only way to sign in. */
export function canReset({ code, passkeys, password }: AccountFactors): boolean {
  return code || (passkeys > 0 && password);
}
