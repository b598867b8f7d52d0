import { WheelhouseError } from '@/lib/errors/error';
import type { SecondFactorKind } from '@/lib/people/factors';
import type { SignIn } from '@/server/store/credentials';
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
