import { WheelhouseError } from '@/lib/errors/error';
import { mayAppoint, type Role } from '@/lib/rights/roles';
import type { Member } from '@/server/store/people';
import type { PeopleTables } from '@/server/store/store';
import { logEntry } from './log';
import { isAbove, isWithheldFrom } from './above';
import type { HumanPrincipal, MemberPrincipal } from './principal';
import { canReset } from './second-factors';
import { demandLive } from './still-live';
import type { AccessParts } from './parts';

/** What somebody may do for a member: change the role, remove them, make a link for a new password, reset codes. */
export const MEMBER_DEEDS = ['role', 'remove', 'password', 'secondFactor'] as const;
type MemberDeed = (typeof MEMBER_DEEDS)[number];

/** A member, with what the caller may do for them. */
interface ListedMember extends Member {
  readonly may: readonly MemberDeed[];
}

/** The people of a workspace and their roles (AU2). */
export class Members {
  constructor(private readonly parts: AccessParts) {}

  /** Oldest first, each with what the caller may do for them. */
  async list(by: MemberPrincipal): Promise<ListedMember[]> {
    const { store } = this.parts;
    const members = await store.people.members(by.workspace);
    const own = by.kind === 'human' ? members.find(({ id }) => id === by.person) : undefined;
    const owners = members.filter(({ role }) => role === 'owner').length;
    const listed: ListedMember[] = [];
    for (const member of members) {
      const stays =
        (member.role === 'owner' && owners === 1) || (member.serverOwner && member.workspace === by.workspace);
      const may = own && by.kind === 'human' ? await this.#deedsOn({ ...own, by }, member, stays) : [];
      listed.push({ ...member, may });
    }
    return listed;
  }

  /** @param stays the workspace needs this owner */
  async #deedsOn(own: Member & { readonly by: HumanPrincipal }, member: Member, stays: boolean): Promise<MemberDeed[]> {
    const { store, rights } = this.parts;
    const appoints = mayAppoint(own.role, member.role, member.role);
    const others =
      own.id !== member.id &&
      (await isAbove(store, own.id, member)) &&
      !(await isWithheldFrom(store, rights, { by: own.by, person: member }));
    const resets = others && canReset(await store.accounts.factorsOf(member.id));
    return MEMBER_DEEDS.filter((deed) => {
      if (deed === 'role') return appoints && !stays;
      if (deed === 'remove') return (appoints || own.id === member.id) && !stays;
      return others && (deed === 'secondFactor' ? resets : member.email !== undefined);
    });
  }

  /**
   * Changes the role of a member; it holds from then on in what that person has open. Throws NOT_FOUND; FORBIDDEN when
   * the caller's role does not allow it; CONFLICT for the last owner, and when the role is not `from` any more.
   *
   * @param from the role that the caller saw, if they say so
   */
  async setRole(
    by: MemberPrincipal,
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
    by: MemberPrincipal,
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
