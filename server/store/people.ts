import { createHash } from 'node:crypto';
import { WheelhouseError } from '@/lib/errors/error';
import { readWorkspacePolicy, type WorkspacePolicy } from '@/lib/people/workspace-policy';
import { roleSchema, type Role } from '@/lib/rights/roles';
import type { Database } from './connection';
import { codeOf } from './failures';
import { newId } from './ids';

/** A person of this server; their rights are those of their memberships (AU2). */
export interface Person {
  readonly id: string;
  /** The workspace that opens where no address names another. It gives no right. */
  readonly workspace: string;
  readonly name: string;
  /** In lower case; undefined: they sign in by link, passkey or another provider only. */
  readonly email: string | undefined;
  /** They own the server: they are the first owner. */
  readonly serverOwner: boolean;
}

export interface Membership {
  readonly workspace: string;
  readonly person: string;
  readonly role: Role;
}

/** A person in one workspace. */
export interface Member extends Person {
  readonly role: Role;
  readonly since: string;
}

export interface NewPerson {
  readonly workspace: string;
  readonly name: string;
  readonly email?: string | undefined;
  readonly role: Role;
}

export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly policy: WorkspacePolicy;
  /** The names of what could not be read of the policy. */
  readonly unreadable: readonly string[];
}

/** Addresses that stand for none: better-auth needs one for each person. */
const NO_ADDRESS = '@no-address.invalid';

/** Workspaces, the people of the server, and who is a member of what. */
export class PersonRepository {
  constructor(private readonly db: Database) {}

  /** The first workspace and its owner: created at the first start, found at every later one (AU1). */
  ensureOwner(names: { workspace: string; owner: string }, now: Date): Promise<Member> {
    return this.db.transaction().execute(async (tx) => {
      const own = new PersonRepository(tx);
      const found = await own.#people().where('people.server_owner', '=', 1).executeTakeFirst();
      const id = found?.id ?? (await own.#makeOwner(names, now));
      const memberships = own.#members().where('people.id', '=', id).orderBy('memberships.created_at');
      const owner = await memberships.executeTakeFirst();
      if (!owner) throw new WheelhouseError('INTERNAL', 'The owner of this server is in no workspace.');
      return toMember(owner);
    });
  }

  async #makeOwner({ workspace, owner }: { workspace: string; owner: string }, now: Date): Promise<string> {
    const home = await this.addWorkspace(workspace, now);
    const { id } = await this.add({ workspace: home, name: owner, role: 'owner' }, now);
    await this.db.updateTable('people').set({ server_owner: 1 }).where('id', '=', id).execute();
    return id;
  }

  /** Makes a person and their first membership. Throws CONFLICT when the address is taken. */
  async add({ workspace, name, email, role }: NewPerson, now: Date): Promise<Person> {
    const id = newId('p');
    const time = now.toISOString();
    await this.db.insertInto('people').values({ id, workspace, created_at: time }).execute();
    const user = { id, name, email: email?.toLowerCase() ?? `${id}${NO_ADDRESS}`, emailVerified: 0 };
    await addressed(() =>
      this.db
        .insertInto('auth_user')
        .values({ ...user, createdAt: time, updatedAt: time })
        .execute(),
    );
    await this.db.insertInto('memberships').values({ workspace, person: id, role, created_at: time }).execute();
    return { id, workspace, name, email: email?.toLowerCase(), serverOwner: false };
  }

  /** A person, whether or not they are a member of anything. */
  async find(id: string): Promise<Person | undefined> {
    const row = await this.#people().where('people.id', '=', id).executeTakeFirst();
    return row && toPerson(row);
  }

  async byEmail(email: string): Promise<Person | undefined> {
    const row = await this.#people().where('auth_user.email', '=', email.toLowerCase()).executeTakeFirst();
    return row && toPerson(row);
  }

  /** The person who has proved that this address is theirs. */
  async byVerifiedEmail(email: string): Promise<Person | undefined> {
    const own = this.#people().where('auth_user.email', '=', email.toLowerCase());
    const row = await own.where('auth_user.emailVerified', '=', 1).executeTakeFirst();
    return row && toPerson(row);
  }

  /** A member of the workspace; undefined for everybody else. */
  async get(workspace: string, id: string): Promise<Member | undefined> {
    const own = this.#members().where('memberships.workspace', '=', workspace).where('people.id', '=', id);
    const row = await own.executeTakeFirst();
    return row && toMember(row);
  }

  /** The members of a workspace, oldest first. */
  async members(workspace: string): Promise<Member[]> {
    const own = this.#members().where('memberships.workspace', '=', workspace);
    return (await own.orderBy('memberships.created_at').orderBy('people.id').execute()).map(toMember);
  }

  /** Every membership of the server. */
  async memberships(): Promise<Membership[]> {
    const rows = await this.db.selectFrom('memberships').select(['workspace', 'person', 'role']).execute();
    return rows.map(({ role, ...row }) => ({ ...row, role: roleSchema.parse(role) }));
  }

  /**
   * Gives a person a role in a workspace, or with undefined removes them from it. Throws CONFLICT when the workspace
   * would be left without an owner, and for the server's owner in their home workspace, who could not start the server
   * any more.
   */
  async setRole(workspace: string, person: string, role: Role | undefined, now: Date): Promise<void> {
    if (role !== 'owner') await this.#demandDispensable(workspace, person);
    if (role === undefined)
      await this.db.deleteFrom('memberships').where('workspace', '=', workspace).where('person', '=', person).execute();
    else
      await this.db
        .insertInto('memberships')
        .values({ workspace, person, role, created_at: now.toISOString() })
        .onConflict((conflict) => conflict.columns(['workspace', 'person']).doUpdateSet({ role }))
        .execute();
  }

  /** Throws CONFLICT when the workspace needs this person as an owner. */
  async #demandDispensable(workspace: string, person: string): Promise<void> {
    const own = this.db.selectFrom('memberships').select('person').where('workspace', '=', workspace);
    const owners = await own.where('role', '=', 'owner').execute();
    if (owners.length === 1 && owners[0]?.person === person)
      throw new WheelhouseError('CONFLICT', 'A workspace needs an owner, and this is its last one.', {
        hint: 'Make somebody else an owner first.',
      });
    const known = await this.find(person);
    if (known?.serverOwner === true && known.workspace === workspace)
      throw new WheelhouseError(
        'CONFLICT',
        `${known.name} owns this server, and stays an owner of its first workspace.`,
      );
  }

  /**
   * After a person left a workspace: another one becomes their home, if that was it. A person without any workspace is
   * removed from the server: their address is free for an account anew, and the name stays for what they did. Of the
   * address a digest is kept, for `wasGivenUp`.
   */
  async leftWorkspace(id: string, left: string, now: Date): Promise<{ readonly home: string | undefined }> {
    const own = this.db.selectFrom('memberships').select('workspace').where('person', '=', id);
    const [next] = await own.orderBy('created_at').orderBy('workspace').execute();
    if (!next) {
      await this.#givenUp(id, now);
      const user = { email: `${id}${NO_ADDRESS}`, updatedAt: now.toISOString() };
      await this.db.updateTable('auth_user').set(user).where('id', '=', id).execute();
      await this.db.updateTable('people').set({ removed_at: now.toISOString() }).where('id', '=', id).execute();
      return { home: undefined };
    }
    const home = this.db.updateTable('people').set({ workspace: next.workspace }).where('id', '=', id);
    await home.where('workspace', '=', left).execute();
    return { home: next.workspace };
  }

  /** Keeps a digest of the address that a person has now and gives up, for `wasGivenUp`. */
  async #givenUp(id: string, now: Date): Promise<void> {
    const email = (await this.find(id))?.email;
    if (email === undefined) return;
    const row = { digest: digestOf(email), removed_at: now.toISOString() };
    const given = this.db.insertInto('removed_addresses').values(row);
    await given.onConflict((conflict) => conflict.doNothing()).execute();
  }

  /** Whether a person who had this address was removed from the server, or has another one since. */
  async wasGivenUp(email: string): Promise<boolean> {
    const known = this.db.selectFrom('removed_addresses').select('digest');
    return (await known.where('digest', '=', digestOf(email)).executeTakeFirst()) !== undefined;
  }

  async setName(id: string, name: string, now: Date): Promise<void> {
    const change = this.db.updateTable('auth_user').set({ name, updatedAt: now.toISOString() });
    await change.where('id', '=', id).execute();
  }

  /** Notes that the person has proved that this is their address; no effect when they have another one by now. */
  async verifyEmail(id: string, email: string, now: Date): Promise<void> {
    const change = this.db.updateTable('auth_user').set({ emailVerified: 1, updatedAt: now.toISOString() });
    await change.where('id', '=', id).where('email', '=', email.toLowerCase()).execute();
  }

  /** The address counts as not verified. Throws CONFLICT when it is taken. */
  async setEmail(id: string, email: string, now: Date): Promise<void> {
    if ((await this.find(id))?.email !== email.toLowerCase()) await this.#givenUp(id, now);
    const user = { email: email.toLowerCase(), emailVerified: 0, updatedAt: now.toISOString() };
    await addressed(() => this.db.updateTable('auth_user').set(user).where('id', '=', id).execute());
  }

  /** The workspaces of a person with their role in each, oldest first. */
  async workspacesOf(person: string): Promise<{ id: string; name: string; role: Role }[]> {
    const rows = await this.db
      .selectFrom('memberships')
      .innerJoin('workspaces', 'workspaces.id', 'memberships.workspace')
      .select(['workspaces.id', 'workspaces.name', 'memberships.role'])
      .where('memberships.person', '=', person)
      .where('workspaces.ended_at', 'is', null)
      .orderBy('workspaces.created_at')
      .execute();
    return rows.map(({ role, ...row }) => ({ ...row, role: roleSchema.parse(role) }));
  }

  /** The ids of all workspaces, oldest first. */
  async workspaces(): Promise<string[]> {
    const open = this.db.selectFrom('workspaces').select('id').where('ended_at', 'is', null);
    return (await open.orderBy('created_at').execute()).map(({ id }) => id);
  }

  /** Creates a workspace without members; returns its id. */
  async addWorkspace(name: string, now: Date): Promise<string> {
    const workspace = { id: newId('w'), name, created_at: now.toISOString() };
    await this.db.insertInto('workspaces').values(workspace).execute();
    return workspace.id;
  }

  async workspace(id: string): Promise<Workspace | undefined> {
    const open = this.db.selectFrom('workspaces').selectAll().where('ended_at', 'is', null);
    const row = await open.where('id', '=', id).executeTakeFirst();
    return row && { id: row.id, name: row.name, ...readWorkspacePolicy(row.policy_json) };
  }

  async changeWorkspace(id: string, { name, policy }: Partial<Pick<Workspace, 'name' | 'policy'>>): Promise<void> {
    const columns = { name, policy_json: policy && JSON.stringify(policy) };
    if (name === undefined && policy === undefined) return;
    await this.db.updateTable('workspaces').set(columns).where('id', '=', id).execute();
  }

  /** Ends a workspace, of which nobody is a member any more; its other rows stay. */
  async endWorkspace(id: string, now: Date): Promise<void> {
    await this.db.deleteFrom('memberships').where('workspace', '=', id).execute();
    await this.db.updateTable('workspaces').set({ ended_at: now.toISOString() }).where('id', '=', id).execute();
  }

  #people() {
    return this.db
      .selectFrom('people')
      .innerJoin('auth_user', 'auth_user.id', 'people.id')
      .select(['people.id', 'people.workspace', 'people.server_owner', 'auth_user.name', 'auth_user.email']);
  }

  #members() {
    return this.#people()
      .innerJoin('memberships', 'memberships.person', 'people.id')
      .select(['memberships.role', 'memberships.created_at']);
  }
}

function digestOf(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('hex');
}

interface PersonRow {
  readonly id: string;
  readonly workspace: string;
  readonly name: string;
  readonly email: string;
  readonly server_owner: number;
}

function toPerson({ id, workspace, name, email, server_owner }: PersonRow): Person {
  const own = email.endsWith(NO_ADDRESS) ? undefined : email;
  return { id, workspace, name, email: own, serverOwner: server_owner === 1 };
}

function toMember({ role, created_at, ...row }: PersonRow & { role: string; created_at: string }): Member {
  return { ...toPerson(row), role: roleSchema.parse(role), since: created_at };
}

/** Runs a write of an address. Throws CONFLICT where another person has it. */
async function addressed<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (thrown) {
    if (codeOf(thrown) !== 'SQLITE_CONSTRAINT_UNIQUE') throw thrown;
    throw addressTaken(thrown);
  }
}

export function addressTaken(cause?: unknown): WheelhouseError {
  return new WheelhouseError('CONFLICT', 'This address belongs to another account of this server.', { cause });
}
