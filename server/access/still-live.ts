import { WheelhouseError } from '@/lib/errors/error';
import type { ApiKey } from '@/server/store/api-keys';
import type { PeopleTables } from '@/server/store/store';
import { PRESET_ID } from './key-views';
import type { Asker } from './principal';

/**
 * For changes that outlast the caller: asks in the same transaction whether the caller is still a member whose key or
 * sign-in has not ended, and whose key has the text and reach that it came with, so that a call that was under way at
 * the end of a credential leaves nothing behind (T9). Throws UNAUTHENTICATED.
 */
export async function demandLive(
  { people, signIns, apiKeys }: PeopleTables,
  { person, workspace, credential, keyRev }: Pick<Asker, 'person' | 'workspace' | 'credential' | 'keyRev'>,
  now: Date,
): Promise<void> {
  if (!credential) return;
  const member = await people.get(workspace, person);
  const { kind, id } = credential;
  const isLive =
    kind === 'key'
      ? id === PRESET_ID || isSame(await apiKeys.get(workspace, id, now), keyRev)
      : (await signIns.list(person, now)).some((signIn) => signIn.id === id);
  if (!member || !isLive) throw new WheelhouseError('UNAUTHENTICATED', 'This sign-in or key has ended.');
}

function isSame(key: ApiKey | undefined, rev: number | undefined): boolean {
  return key !== undefined && (rev === undefined || key.rev === rev);
}
