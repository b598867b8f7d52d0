import { WheelhouseError } from '@/lib/errors/error';
import { mayAppoint } from '@/lib/rights/roles';
import type { Person } from '@/server/store/people';
import type { PeopleTables } from '@/server/store/store';
import type { LiveRights } from './live-rights';
import type { HumanPrincipal } from './principal';

/**
 * Whether `by` could change the role of the person in each of their workspaces. The owner of the server is above all
 * others.
 */
export async function isAbove({ people }: Pick<PeopleTables, 'people'>, by: string, person: Person): Promise<boolean> {
  if ((await people.find(by))?.serverOwner === true) return true;
  if (person.serverOwner) return false;
  const roles = new Map((await people.workspacesOf(by)).map(({ id, role }) => [id, role]));
  return (await people.workspacesOf(person.id)).every(({ id, role }) => {
    const own = roles.get(id);
    return own !== undefined && mayAppoint(own, role, role);
  });
}

/**
 * Whether a workspace of the person requires a second factor with which the caller did not sign in: a role there is
 * nothing that the caller could use.
 */
export async function isWithheldFrom(
  { people }: Pick<PeopleTables, 'people'>,
  rights: LiveRights,
  { by: { credential }, person }: { readonly by: HumanPrincipal; readonly person: Person },
): Promise<boolean> {
  return (await people.workspacesOf(person.id)).some(({ id }) => rights.withholds(id, credential.id));
}

/** Throws FORBIDDEN for the caller's own account, where `isAbove` is false, and where `isWithheldFrom` is true. */
export async function demandAbove(
  tables: PeopleTables,
  rights: LiveRights,
  { by, person }: { readonly by: HumanPrincipal; readonly person: Person },
): Promise<void> {
  // Otherwise a stolen cookie would be enough to choose a new password.
  if (person.id === by.person)
    throw new WheelhouseError('FORBIDDEN', 'This is your own account.', {
      hint: 'Change it on the page of your account.',
    });
  if (!(await isAbove(tables, by.person, person)))
    throw new WheelhouseError(
      'FORBIDDEN',
      'This person has a role that you may not give, here or in another workspace.',
      { hint: 'Ask an owner, or the owner of the server.' },
    );
  if (await isWithheldFrom(tables, rights, { by, person }))
    throw new WheelhouseError(
      'FORBIDDEN',
      { code: 'secondFactorAbove' },
      { hint: { code: 'secondFactorCure' }, details: { reason: 'SECOND_FACTOR_NEEDED' } },
    );
}
