import { WheelhouseError } from '@/lib/errors/error';
import type { PeopleTables } from '@/server/store/store';
import { PRESET_ID } from './key-views';
import type { Asker } from './principal';

/**
 * For changes that outlast the caller: asks in the same transaction whether the caller is still a member whose key or
 * sign-in has not ended, so that a call that was under way at the end of a credential leaves nothing behind (T9).
 * Throws UNAUTHENTICATED.
 */
export async function demandLive(
  { people, signIns, apiKeys }: PeopleTables,
  { person, workspace, credential }: Pick<Asker, 'person' | 'workspace' | 'credential'>,
  now: Date,
): Promise<void> {
  if (!credential) return;
  const member = await people.get(workspace, person);
  const { kind, id } = credential;
  const isLive =
    kind === 'key'
      ? id === PRESET_ID || (await apiKeys.get(workspace, id, now)) !== undefined
      : (await signIns.list(person, now)).some((signIn) => signIn.id === id);
  if (!member || !isLive) throw new WheelhouseError('UNAUTHENTICATED', 'This sign-in or key has ended.');
}
