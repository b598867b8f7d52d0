import type { Role } from '@/lib/rights/roles';
import { hashToken, randomToken } from '@/server/access/tokens';
import type { Person } from '@/server/store/people';
import type { TestServer } from './server';

const HOUR_MS = 3_600_000;

export interface TestPerson extends Person {
  /** The headers of a page that this person has open. */
  readonly headers: { readonly cookie: string; readonly origin: string };
}

/**
 * A person with a role in the owner's workspace, signed in without a password: made in the store, so that no test pays
 * for a hash.
 */
export async function signedInPerson(
  { running, origin }: Pick<TestServer, 'running' | 'origin'>,
  role: Role,
  name: string = role,
): Promise<TestPerson> {
  const { store, access } = running.services;
  const now = new Date();
  const token = randomToken();
  const { workspace } = access.owner;
  const expiresAt = new Date(now.getTime() + HOUR_MS);
  const person = await store.change(async ({ people, logins }) => {
    const made = await people.add({ workspace, name, role }, now);
    await logins.add({ workspace, person: made.id, hash: hashToken(token), factor: 'link', expiresAt }, now);
    return made;
  });
  access.rights.apply({ kind: 'member', workspace, person: person.id, role });
  return { ...person, headers: { cookie: `wh_${new URL(origin).port}=${token}`, origin } };
}
