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
 * A person with a role in a workspace, that of the owner unless another is given, signed in without a password: made in
 * the store, so that no test pays for a hash.
 */
export async function signedInPerson(
  { running, origin }: Pick<TestServer, 'running' | 'origin'>,
  role: Role,
  name: string = role,
  workspace: string = running.services.access.owner.workspace,
): Promise<TestPerson> {
  const { store, access } = running.services;
  const now = new Date();
  const token = randomToken();
  const expiresAt = new Date(now.getTime() + HOUR_MS);
  const person = await store.change(async ({ people, signIns }) => {
    const made = await people.add({ workspace, name, role }, now);
    await signIns.add({ workspace, person: made.id, hash: hashToken(token), factor: 'link', expiresAt }, now);
    return made;
  });
  access.rights.apply({ kind: 'member', workspace, person: person.id, role });
  return { ...person, headers: { cookie: `wh_${new URL(origin).port}=${token}`, origin } };
}

/** Calls the API as a person: the status and the body of the answer. */
export function callsOf(
  { origin }: Pick<TestServer, 'origin'>,
  { headers }: { readonly headers: Readonly<Record<string, string>> },
): (method: string, path: string, body?: unknown) => Promise<[status: number, body: unknown]> {
  return async (method, path, body) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const json = { ...headers, 'content-type': 'application/json' };
    const answer = await fetch(`${origin}/api/v1${path}`, { method, headers: json, ...sent });
    return [answer.status, await answer.json()];
  };
}
