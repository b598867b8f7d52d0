import type { SecondFactorKind } from '@/lib/people/factors';
import type { SignIn } from '@/server/store/credentials';
import type { Store } from '@/server/store/store';
import type { LiveRights } from './live-rights';
import type { HumanPrincipal } from './principal';

/**
 * The person has set up a second factor: their sign-in counts with it at once in the workspaces that require one. One
 * that counts already keeps what it has proved.
 */
export async function setUp(
  { store, rights }: { readonly store: Pick<Store, 'signIns'>; readonly rights: LiveRights },
  { person, credential: { id: signIn } }: HumanPrincipal,
  kind: SecondFactorKind,
): Promise<void> {
  if (rights.counts(signIn)) return;
  await store.signIns.setSecondFactor(signIn, kind);
  rights.apply({ kind: 'sign-in', signIn, person, counts: true });
}

/** Call it after the commit that ended a second factor, with the sign-ins that had proved it. */
export function notCounting(
  { rights }: { readonly rights: LiveRights },
  signIns: readonly Pick<SignIn, 'id' | 'person'>[],
): void {
  for (const { id: signIn, person } of signIns) rights.apply({ kind: 'sign-in', signIn, person, counts: false });
}
