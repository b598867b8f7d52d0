import { WheelhouseError } from '@/lib/errors/error';
import { mayAppoint, type Role } from '@/lib/rights/roles';
import type { Member } from '@/server/store/people';
import type { PeopleTables } from '@/server/store/store';
import { logEntry } from './log';
import type { Principal } from './principal';
import { demandLive } from './still-live';
import type { AccessParts } from './parts';

/** The people of a workspace and their roles (AU2). */
export class Members {
  constructor(private readonly parts: AccessParts) {}

  /** Oldest first. */
  list(workspace: string): Promise<Member[]> {
    return this.parts.store.people.members(workspace);
  }

  /**
   * Changes the role of a member; it holds from then on in what that person has open. Throws NOT_FOUND; FORBIDDEN when
   * the caller's role does not allow it; CONFLICT for the last owner, and when the role is not `from` any more.
   *
   * @param from the role that the caller saw, if they say so
   */
  async setRole(
    by: Principal,
    person: string,
    { role, from }: { readonly role: Role; readonly from?: Role | undefined },
  ): Promise<Member> {
    const { store, rights } = this.parts;
    const { workspace } = by;
    const changed = await store.change((tables) => this.#commit(tables, by, person, { role, from }));
    rights.apply({ kind: 'member', workspace, person, role });
    return changed;
  }

  async #commit(
    tables: PeopleTables,
    by: Principal,
    person: string,
    { role, from }: { readonly role: Role; readonly from: Role | undefined },
  ): Promise<Member> {
    const { people, log } = tables;
    const { workspace } = by;
    const now = this.parts.now();
    await demandLive(tables, by, now);
    const member = await memberOf(tables, workspace, person);
    const own = await people.get(workspace, by.person);
    if (!own || !mayAppoint(own.role, member.role, role)) throw notYours();
    if (from !== undefined && from !== member.role) throw changedMeanwhile(member);
    if (member.role === role) return member;
    await people.setRole(workspace, person, role, now);
    const said = { code: 'memberRole', name: member.name, before: member.role, role } as const;
    await log.append(workspace, logEntry(by, said, { id: person, name: member.name }));
    return { ...member, role };
  }
}

/** A member of a workspace. Throws NOT_FOUND. */
export async function memberOf(
  { people }: Pick<PeopleTables, 'people'>,
  workspace: string,
  person: string,
): Promise<Member> {
  const member = await people.get(workspace, person);
  if (member) return member;
  throw new WheelhouseError('NOT_FOUND', `There is no member "${person.slice(0, 100)}".`);
}

function notYours(): WheelhouseError {
  return new WheelhouseError(
    'FORBIDDEN',
    'Only owners make owners or change their roles, and only admins and owners change the roles of others.',
    { hint: 'Ask an owner of the workspace.' },
  );
}

function changedMeanwhile({ name, role }: Member): WheelhouseError {
  return new WheelhouseError('CONFLICT', `The role of ${name} was changed in the meantime: it is ${role} now.`, {
    hint: 'Look at the list again, and change it from there.',
    details: { role },
  });
}
