import { WheelhouseError } from '@/lib/errors/error';
import { mayAppoint } from '@/lib/rights/roles';
import type { SessionAccess } from '@/lib/rights/rights';
import type { Member } from '@/server/store/people';
import type { PeopleTables } from '@/server/store/store';
import { logEntry } from './log';
import { memberOf } from './members';
import type { Credential, HumanPrincipal } from './principal';
import { demandLive } from './still-live';
import type { AccessParts } from './parts';

/** What a removal has ended and passed on. */
interface Removed {
  readonly credentials: readonly Credential[];
  readonly sessions: readonly SessionAccess[];
}

/** Takes people out of a workspace (AU2). */
export class Removal {
  constructor(private readonly parts: AccessParts) {}

  /**
   * Takes a person out of the caller's workspace, in one commit: their keys and open invitations there end, their
   * sessions pass to its oldest owner. A person who is in no other workspace also loses their sign-ins and one-time
   * links, and their address is free for a new account. Their connections and calls end right after the commit. Throws
   * NOT_FOUND; FORBIDDEN when the caller's role does not allow it; CONFLICT for the last owner, and for the owner of
   * the server in their home workspace.
   */
  async remove(by: HumanPrincipal, person: string): Promise<void> {
    const { store, live, rights } = this.parts;
    const { credentials, sessions } = await store.change((tables) => this.#commit(tables, by, person));
    for (const credential of credentials) live.bump(credential);
    rights.apply({ kind: 'member', workspace: by.workspace, person, role: undefined });
    // Ended sessions also lost these roles, but `LiveRights` has no access of an ended session.
    for (const access of sessions) if (rights.access(access.session)) rights.apply({ kind: 'session', access });
  }

  async #commit(tables: PeopleTables, by: HumanPrincipal, person: string): Promise<Removed> {
    const { people, apiKeys, invitations, access, log } = tables;
    const { workspace } = by;
    const now = this.parts.now();
    await demandLive(tables, by, now);
    const members = await people.members(workspace);
    const leaver = await memberOf(tables, workspace, person);
    demandRemovable(members, by, leaver);
    await people.setRole(workspace, person, undefined, now);
    const heir = members.find(({ id, role }) => role === 'owner' && id !== person);
    const sessions = heir ? await access.passOn(workspace, person, heir.id) : [];
    const keys = await apiKeys.revokeOf(workspace, person, now);
    await invitations.revokeOf(workspace, person, now);
    const signIns = await endWithoutWorkspace(tables, person, workspace, now);
    const said =
      person === by.person
        ? ({ code: 'memberLeft' } as const)
        : ({ code: 'memberRemoved', name: leaver.name } as const);
    await log.append(workspace, logEntry(by, said, { id: person, name: leaver.name }));
    const ended = (kind: Credential['kind'], ids: string[]): Credential[] => ids.map((id) => ({ kind, id }));
    return { credentials: [...ended('cookie', signIns), ...ended('key', keys)], sessions };
  }
}

function demandRemovable(members: readonly Member[], by: HumanPrincipal, { id, role }: Member): void {
  const own = members.find((one) => one.id === by.person)?.role;
  if (id === by.person || (own !== undefined && mayAppoint(own, role, undefined))) return;
  throw new WheelhouseError('FORBIDDEN', 'Only owners remove owners, and only admins and owners remove others.', {
    hint: 'Ask an owner of the workspace.',
  });
}

/** Ends the sign-ins of a person who is a member of no workspace any more; returns the ids of the ended sign-ins. */
export async function endWithoutWorkspace(
  { people, signIns, accounts }: PeopleTables,
  person: string,
  workspace: string,
  now: Date,
): Promise<string[]> {
  const { home } = await people.leftWorkspace(person, workspace, now);
  if (home !== undefined) {
    await signIns.moveHome(person, workspace, home);
    return [];
  }
  await signIns.endTokens(person, now);
  await accounts.forget(person);
  return signIns.revokeAll(person, {}, now);
}
