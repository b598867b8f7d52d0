import type { Selectable } from 'kysely';
import { roleSchema, type Role } from '@/lib/rights/roles';
import type { Database } from './connection';
import { newId } from './ids';
import type { Tables } from './tables';

/** An invitation into a workspace: one person uses it once (AU2). */
export interface Invitation {
  readonly id: string;
  readonly workspace: string;
  readonly role: Role;
  /** Only the person with this address may use it, in lower case; undefined: anybody who has the link. */
  readonly email: string | undefined;
  /** The person who made it. */
  readonly by: string;
  /** The key by which they made it. */
  readonly byKey: string | undefined;
  readonly createdAt: string;
  readonly expiresAt: string;
}

export interface NewInvitation {
  readonly workspace: string;
  readonly hash: string;
  readonly role: Role;
  readonly email?: string | undefined;
  readonly by: string;
  readonly byKey?: string | undefined;
  readonly expiresAt: Date;
}

/** Invitations; only the SHA-256 of their secret is stored. */
export class InvitationRepository {
  constructor(private readonly db: Database) {}

  async add({ by, byKey, email, expiresAt, ...rest }: NewInvitation, now: Date): Promise<Invitation> {
    const made = {
      id: newId('i'),
      ...rest,
      email: email?.toLowerCase() ?? null,
      made_by: by,
      made_by_key: byKey ?? null,
    };
    const row = { ...made, created_at: now.toISOString(), expires_at: expiresAt.toISOString() };
    await this.db
      .insertInto('invitations')
      .values({ ...row, used_at: null, used_by: null, revoked_at: null })
      .execute();
    return toInvitation(row);
  }

  /** The invitations of a workspace that can still be used, oldest first. */
  async list(workspace: string, now: Date): Promise<Invitation[]> {
    const open = this.#open(now).where('workspace', '=', workspace).orderBy('created_at');
    return (await open.execute()).map(toInvitation);
  }

  /** The invitation with this secret that can still be used. */
  async find(hash: string, now: Date): Promise<Invitation | undefined> {
    const row = await this.#open(now).where('hash', '=', hash).executeTakeFirst();
    return row && toInvitation(row);
  }

  /** Uses up an invitation for a person; undefined when it cannot be used any more, so that one of two callers wins. */
  async use(hash: string, person: string, now: Date): Promise<Invitation | undefined> {
    const time = now.toISOString();
    const unused = this.db.updateTable('invitations').set({ used_at: time, used_by: person }).where('hash', '=', hash);
    const open = unused.where('used_at', 'is', null).where('revoked_at', 'is', null).where('expires_at', '>', time);
    const row = await open.returningAll().executeTakeFirst();
    return row && toInvitation(row);
  }

  /** Changes an invitation that can still be used; undefined when there is none. */
  async change(
    workspace: string,
    id: string,
    { role, expiresAt }: { readonly role?: Role | undefined; readonly expiresAt?: Date | undefined },
    now: Date,
  ): Promise<Invitation | undefined> {
    const columns = { role, expires_at: expiresAt?.toISOString() };
    const own = (db: Database) =>
      db.updateTable('invitations').set(columns).where('workspace', '=', workspace).where('id', '=', id);
    if (role !== undefined || expiresAt !== undefined)
      await own(this.db).where('used_at', 'is', null).where('revoked_at', 'is', null).execute();
    const row = await this.#open(now).where('workspace', '=', workspace).where('id', '=', id).executeTakeFirst();
    return row && toInvitation(row);
  }

  /** Ends an invitation; false when it was used, ended or never made. */
  async revoke(workspace: string, id: string, now: Date): Promise<boolean> {
    const change = this.db.updateTable('invitations').set({ revoked_at: now.toISOString() });
    const open = change.where('workspace', '=', workspace).where('id', '=', id).where('used_at', 'is', null);
    const result = await open.where('revoked_at', 'is', null).executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  /** Ends the open invitations that a person made in a workspace; returns their ids. */
  async revokeOf(workspace: string, by: string, now: Date): Promise<string[]> {
    const change = this.db.updateTable('invitations').set({ revoked_at: now.toISOString() });
    const open = change.where('workspace', '=', workspace).where('made_by', '=', by).where('used_at', 'is', null);
    return (await open.where('revoked_at', 'is', null).returning('id').execute()).map(({ id }) => id);
  }

  /** Ends the open invitations that a key made. */
  async revokeByKey(key: string, now: Date): Promise<void> {
    const change = this.db.updateTable('invitations').set({ revoked_at: now.toISOString() });
    const open = change.where('made_by_key', '=', key).where('used_at', 'is', null);
    await open.where('revoked_at', 'is', null).execute();
  }

  #open(now: Date) {
    const open = this.db.selectFrom('invitations').selectAll().where('used_at', 'is', null);
    return open.where('revoked_at', 'is', null).where('expires_at', '>', now.toISOString());
  }
}

type Row = Pick<
  Selectable<Tables['invitations']>,
  'id' | 'workspace' | 'role' | 'email' | 'made_by' | 'made_by_key' | 'created_at' | 'expires_at'
>;

function toInvitation({ id, workspace, role, email, made_by, made_by_key, created_at, expires_at }: Row): Invitation {
  const times = { createdAt: created_at, expiresAt: expires_at };
  const maker = { by: made_by, byKey: made_by_key ?? undefined };
  return { id, workspace, role: roleSchema.parse(role), email: email ?? undefined, ...maker, ...times };
}
