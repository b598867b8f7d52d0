import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isWithin, type EgressPolicy } from '@/lib/egress/policy';
import { WheelhouseError } from '@/lib/errors/error';
import type { WorkspacePolicy } from '@/lib/people/workspace-policy';
import type { Withheld } from '@/lib/rights/grants';
import type { Role } from '@/lib/rights/roles';
import type { PeopleTables } from '@/server/store/store';
import { logEntry } from './log';
import { humanOf, type Credential, type MemberPrincipal } from './principal';
import { endWithoutWorkspace } from './removal';
import { demandLive } from './still-live';
import type { AccessParts } from './parts';

/** A workspace as its members and keys see it. */
export interface WorkspaceView {
  readonly id: string;
  readonly name: string;
  /** Of the caller; null for a key. */
  readonly role: Role | null;
  /** It opens for the caller where no address names another one. */
  readonly home: boolean;
  /** Why the caller has no rights there at the moment. */
  readonly withheld: Withheld | null;
}

const NO_POLICY: WorkspacePolicy = { secondFactor: false };

/** A workspace with all that its admins set. */
export interface WorkspaceSettings extends WorkspaceView {
  readonly policy: WorkspacePolicy;
  /** Names this state of name and policies: after a change it is another one. */
  readonly revision: string;
  /** The first one of the server, which stays as long as the server. */
  readonly first: boolean;
}

/** What its admins change of a workspace; null takes a policy away. */
export interface WorkspaceChange {
  readonly name?: string | undefined;
  /** The state that the editor saw. */
  readonly revision?: string | undefined;
  readonly policy?:
    | {
        readonly egress?: EgressPolicy | null | undefined;
        readonly idleMs?: number | null | undefined;
        readonly secondFactor?: boolean | undefined;
      }
    | undefined;
}

/** The workspaces of the server: people, sessions, browsers and keys of one do not exist for another (T6). */
export class Workspaces {
  constructor(private readonly parts: AccessParts) {}

  /** Those of a person, oldest first; of a key its only one. */
  async list(by: MemberPrincipal): Promise<WorkspaceView[]> {
    if (by.kind === 'agent') return [await this.present(by)];
    const { person, credential } = by;
    const { rights, store } = this.parts;
    const home = (await store.people.find(person))?.workspace;
    return (await store.people.workspacesOf(person)).map((one) => ({
      ...{ ...one, home: one.id === home },
      withheld: rights.ofPerson(one.id, person, credential.id).withheld ?? null,
    }));
  }

  /** The one that the caller is in. */
  async present({ kind, person, workspace, rights }: MemberPrincipal): Promise<WorkspaceView> {
    const { people } = this.parts.store;
    const name = (await people.workspace(workspace))?.name ?? '';
    if (kind === 'agent') return { id: workspace, name, role: null, home: true, withheld: null };
    const home = (await people.find(person))?.workspace === workspace;
    const role = this.parts.rights.roleOf(workspace, person) ?? null;
    return { id: workspace, name, role, home, withheld: rights.withheld ?? null };
  }

  /** The one that the caller is in, with what its admins set. */
  async settings(by: MemberPrincipal): Promise<WorkspaceSettings> {
    const { store, owner } = this.parts;
    const view = await this.present(by);
    const stored = await store.people.workspace(view.id);
    const policy = stored?.policy ?? NO_POLICY;
    return { ...view, policy, revision: revisionOf(stored), first: view.id === owner.workspace };
  }

  /**
   * Changes the name or the policies of the workspace that the caller is in. Returns its policies. Throws CONFLICT when
   * another admin changed it after the state that the caller saw, FORBIDDEN for a key, or a person without a second
   * factor, that would change whether one is required, and for a key that would widen where pages may go.
   */
  async change(by: MemberPrincipal, { name, policy, revision }: WorkspaceChange): Promise<WorkspacePolicy> {
    const { store, rights } = this.parts;
    const now = this.parts.now();
    const { workspace: id } = by;
    const next = await store.change(async (tables) => {
      const { people, log } = tables;
      await demandLive(tables, by, now);
      if (policy?.secondFactor !== undefined) await this.#demandSecondFactor(tables, by, policy.secondFactor);
      const before = await people.workspace(id);
      if (revision !== undefined && revision !== revisionOf(before)) throw changedMeanwhile(revisionOf(before));
      const known = before?.policy ?? NO_POLICY;
      const { egress = known.egress, idleMs = known.idleMs, secondFactor = known.secondFactor } = policy ?? {};
      const next = { egress: egress ?? undefined, idleMs: idleMs ?? undefined, secondFactor };
      if (by.kind === 'agent' && !isWithin(next.egress, known.egress)) throw widenedByKey();
      const about = { id, name: name ?? before?.name ?? '' };
      await people.changeWorkspace(id, { name, policy: policy && next });
      // They were made when a sign-in without a second factor was enough to set a password.
      if (secondFactor && !known.secondFactor)
        await tables.signIns.endGivenLinks(
          (await people.members(id)).map((one) => one.id),
          now,
        );
      if (name !== undefined && name !== before?.name)
        await log.append(id, logEntry(by, { code: 'workspaceChanged', name }, about));
      for (const what of ['egress', 'idleMs', 'secondFactor'] as const)
        if (!isDeepStrictEqual(next[what], known[what]))
          await log.append(id, logEntry(by, { code: 'policyChanged', what }, about));
      return next;
    });
    if (policy?.secondFactor !== undefined)
      rights.apply({ kind: 'workspace', workspace: id, secondFactor: next.secondFactor });
    return next;
  }

  /** A person who requires a second factor must have one, so that they do not lock themselves out. */
  async #demandSecondFactor({ signIns }: PeopleTables, by: MemberPrincipal, required: boolean): Promise<void> {
    const { person, credential } = humanOf(by);
    if (!required) return;
    const own = (await signIns.list(person, this.parts.now())).find(({ id }) => id === credential.id);
    if (own && this.parts.rights.proves(own)) return;
    throw new WheelhouseError(
      'FORBIDDEN',
      { code: 'secondFactorFirst' },
      { hint: { code: 'secondFactorCure' }, details: { reason: 'SECOND_FACTOR_NEEDED' } },
    );
  }

  /** Makes a workspace whose first owner is the caller. */
  async create(by: MemberPrincipal, name: string): Promise<WorkspaceView> {
    const { store, rights } = this.parts;
    const now = this.parts.now();
    const { person } = by;
    const id = await store.change(async (tables) => {
      const { people, log } = tables;
      await demandLive(tables, by, now);
      const made = await people.addWorkspace(name, now);
      await people.setRole(made, person, 'owner', now);
      await log.append(made, logEntry(by, { code: 'workspaceMade', name }, { id: made, name }));
      return made;
    });
    rights.apply({ kind: 'member', workspace: id, person, role: 'owner' });
    return { id, name, role: 'owner', home: false, withheld: null };
  }

  /**
   * Ends the workspace that the caller is in, with its memberships, keys and invitations, in one commit; people who are
   * in no other one lose their sign-ins. Its sessions and browsers are left to the caller. Throws CONFLICT for the
   * first workspace of the server.
   */
  async end(by: MemberPrincipal): Promise<void> {
    const { store, live, rights, owner, now } = this.parts;
    const { workspace } = by;
    if (workspace === owner.workspace)
      throw new WheelhouseError('CONFLICT', 'The first workspace of a server stays as long as the server.');
    const time = now();
    const { members, ended } = await store.change(async (tables) => {
      await demandLive(tables, by, time);
      const about = { id: workspace, name: (await tables.people.workspace(workspace))?.name ?? '' };
      await tables.log.append(workspace, logEntry(by, { code: 'workspaceEnded', name: about.name }, about));
      return endedIn(tables, workspace, time);
    });
    for (const credential of ended) live.bump(credential);
    for (const person of members) rights.apply({ kind: 'member', workspace, person, role: undefined });
    rights.workspaceEnded(workspace);
  }
}

/** Length of a revision: enough to tell states of one workspace apart. */
const REVISION_LENGTH = 16;

function revisionOf(stored: { readonly name: string; readonly policy: object } | undefined): string {
  const state = JSON.stringify([stored?.name, stored?.policy]);
  return createHash('sha256').update(state).digest('base64url').slice(0, REVISION_LENGTH);
}

function changedMeanwhile(revision: string): WheelhouseError {
  return new WheelhouseError('CONFLICT', 'The workspace was changed in the meantime.', {
    hint: 'Look at it again, and change it from there.',
    details: { revision },
  });
}

function widenedByKey(): WheelhouseError {
  return new WheelhouseError('FORBIDDEN', 'Keys only narrow where the pages of a workspace may go.', {
    hint: 'Ask an admin of the workspace to widen it in Settings > Workspace.',
  });
}

async function endedIn(
  tables: PeopleTables,
  workspace: string,
  now: Date,
): Promise<{ readonly members: readonly string[]; readonly ended: readonly Credential[] }> {
  const { people, apiKeys, invitations } = tables;
  const members = (await people.members(workspace)).map(({ id }) => id);
  await people.endWorkspace(workspace, now);
  const ended: Credential[] = [];
  for (const person of members) {
    for (const id of await apiKeys.revokeOf(workspace, person, now)) ended.push({ kind: 'key', id });
    await invitations.revokeOf(workspace, person, now);
    for (const id of await endWithoutWorkspace(tables, person, workspace, now)) ended.push({ kind: 'cookie', id });
  }
  return { members, ended };
}
