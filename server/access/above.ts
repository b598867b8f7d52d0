import { mayAppoint } from '@/lib/rights/roles';
import type { Person } from '@/server/store/people';
import type { PeopleTables } from '@/server/store/store';

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
