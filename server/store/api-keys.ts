import { z } from 'zod';
import type { Database } from './connection';
import { newId } from './ids';
import type { Tables } from './tables';
import type { Selectable, Updateable } from 'kysely';

const grantsSchema = z.array(z.string());
const sessionsSchema = z.array(z.string());
/** The sessions that a key sees: its own (AU2), all of its workspace, or those that it names beside its own. */
const scopeSchema = z.enum(['own', 'workspace', 'named']);
export type KeyScope = z.infer<typeof scopeSchema>;

export interface ApiKey {
  readonly id: string;
  readonly workspace: string;
  /** The person it belongs to. */
  readonly person: string;
  /** The key that made it, and with which it ends. */
  readonly madeBy: string | null;
  readonly name: string;
  /** The last four characters, by which people recognise the key. */
  readonly hint: string;
  readonly grants: readonly string[];
  readonly scope: KeyScope;
  /** Ids of sessions, for the scope `named`. */
  readonly sessions: readonly string[];
  /** Rises when the key gets another text or reach, and when it ends. */
  readonly rev: number;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly rotatedAt: string | null;
  readonly lastUsedAt: string | null;
  /** The address that it was used from last. */
  readonly lastUsedFrom: string | null;
}

export interface NewApiKey {
  readonly person: string;
  readonly madeBy?: string | undefined;
  readonly name: string;
  readonly hash: string;
  readonly hint: string;
  readonly grants: readonly string[];
  readonly scope: KeyScope;
  readonly sessions: readonly string[];
  readonly expiresAt: Date | undefined;
}

export type ApiKeyChange = Partial<Pick<NewApiKey, 'name' | 'grants' | 'scope' | 'sessions'>> & {
  /** Null: it does not expire any more. */
  readonly expiresAt?: Date | null | undefined;
};

/** Keys of agents; only their SHA-256 is stored. */
export class ApiKeyRepository {
  constructor(private readonly db: Database) {}

  /** Adds a key, by `Store.change`; undefined when its person has `limit` live ones already. */
  async add(workspace: string, key: NewApiKey, limit: number, now: Date): Promise<ApiKey | undefined> {
    const { grants, sessions, expiresAt, madeBy, ...rest } = key;
    const row = {
      id: newId('k'),
      workspace,
      ...rest,
      made_by: madeBy ?? null,
      grants_json: JSON.stringify(grants),
      sessions_json: JSON.stringify(sessions),
      rev: 0,
      created_at: now.toISOString(),
      expires_at: expiresAt?.toISOString() ?? null,
      rotated_at: null,
      last_used_at: null,
      last_used_from: null,
      revoked_at: null,
    };
    const live = this.#live(now).where('workspace', '=', workspace).where('person', '=', key.person);
    if ((await live.execute()).length >= limit) return undefined;
    await this.db.insertInto('api_keys').values(row).execute();
    return toKey(row);
  }

  /** The keys of the workspace that are neither revoked nor expired. */
  async list(workspace: string, now: Date): Promise<ApiKey[]> {
    return (await this.#live(now).where('workspace', '=', workspace).orderBy('created_at').execute()).map(toKey);
  }

  /** Every key of the server that is neither revoked nor expired. */
  async all(now: Date): Promise<ApiKey[]> {
    return (await this.#live(now).execute()).map(toKey);
  }

  /** The live key of this hash, with the hash as stored for a constant-time comparison. */
  async find(hash: string, now: Date): Promise<(ApiKey & { hash: string }) | undefined> {
    const row = await this.#live(now).where('hash', '=', hash).executeTakeFirst();
    return row && { ...toKey(row), hash: row.hash };
  }

  async get(workspace: string, id: string, now: Date): Promise<ApiKey | undefined> {
    const row = await this.#live(now).where('workspace', '=', workspace).where('id', '=', id).executeTakeFirst();
    return row && toKey(row);
  }

  /** Notes when, and from which address, a key was used last. */
  async touch(workspace: string, id: string, now: Date, from: string): Promise<void> {
    await this.db
      .updateTable('api_keys')
      .set({ last_used_at: now.toISOString(), last_used_from: from })
      .where('workspace', '=', workspace)
      .where('id', '=', id)
      .execute();
  }

  /** Changes the named fields of a live key; returns it as it is then, undefined when there is none. */
  async change(workspace: string, id: string, change: ApiKeyChange, now: Date): Promise<ApiKey | undefined> {
    const { name, scope, grants, sessions, expiresAt } = change;
    const columns = {
      ...{ name, scope, grants_json: grants && JSON.stringify(grants) },
      ...{ sessions_json: sessions && JSON.stringify(sessions) },
      ...(expiresAt === undefined ? {} : { expires_at: expiresAt?.toISOString() ?? null }),
    };
    const { name: _, ...reach } = columns;
    if (Object.values(reach).some((value) => value !== undefined)) await this.#raise(workspace, id).execute();
    if (Object.values(columns).some((value) => value !== undefined)) await this.#set(workspace, id, columns).execute();
    return this.get(workspace, id, now);
  }

  /** Gives a live key a new text, which ends the old one; false when there is no such key. */
  async rotate(workspace: string, id: string, text: { hash: string; hint: string }, now: Date): Promise<boolean> {
    await this.#raise(workspace, id).execute();
    const result = await this.#set(workspace, id, { ...text, rotated_at: now.toISOString() }).executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  /** Ends the keys of a person, in one workspace or in all; returns the ids of those that were live. */
  async revokeOf(workspace: string | undefined, person: string, now: Date): Promise<string[]> {
    const live = this.#ending(now).where('person', '=', person);
    const ended = workspace === undefined ? live : live.where('workspace', '=', workspace);
    return (await ended.returning('id').execute()).map(({ id }) => id);
  }

  /**
   * Ends a key and all that it made, and those made by them; returns their ids, none when there is no such live key.
   * Call it by `Store.change`.
   */
  async revoke(workspace: string, id: string, now: Date): Promise<string[]> {
    const own = this.#ending(now).where('workspace', '=', workspace).where('id', '=', id);
    const ended = (await own.returning('id').execute()).map((row) => row.id);
    return ended.length === 0 ? [] : [...ended, ...(await this.revokeMadeBy(ended, now))];
  }

  /** Ends all keys that these keys made, and those made by them; returns their ids. */
  async revokeMadeBy(makers: readonly string[], now: Date): Promise<string[]> {
    if (makers.length === 0) return [];
    const made = await this.#ending(now).where('made_by', 'in', makers).returning('id').execute();
    const ids = made.map(({ id }) => id);
    return [...ids, ...(await this.revokeMadeBy(ids, now))];
  }

  #ending(now: Date) {
    return this.db
      .updateTable('api_keys')
      .set((row) => ({ revoked_at: now.toISOString(), rev: row('rev', '+', 1) }))
      .where('revoked_at', 'is', null);
  }

  #live(now: Date) {
    return this.db
      .selectFrom('api_keys')
      .selectAll()
      .where('revoked_at', 'is', null)
      .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', now.toISOString())]));
  }

  #raise(workspace: string, id: string) {
    const own = this.db.updateTable('api_keys').where('workspace', '=', workspace).where('id', '=', id);
    return own.set((row) => ({ rev: row('rev', '+', 1) })).where('revoked_at', 'is', null);
  }

  #set(workspace: string, id: string, columns: Updateable<Tables['api_keys']>) {
    const own = this.db.updateTable('api_keys').set(columns).where('workspace', '=', workspace).where('id', '=', id);
    return own.where('revoked_at', 'is', null);
  }
}

function toKey(row: Selectable<Tables['api_keys']>): ApiKey {
  return {
    id: row.id,
    workspace: row.workspace,
    person: row.person,
    madeBy: row.made_by,
    name: row.name,
    hint: row.hint,
    grants: grantsSchema.parse(JSON.parse(row.grants_json)),
    scope: scopeSchema.parse(row.scope),
    sessions: sessionsSchema.parse(JSON.parse(row.sessions_json)),
    rev: row.rev,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    rotatedAt: row.rotated_at,
    lastUsedAt: row.last_used_at,
    lastUsedFrom: row.last_used_from,
  };
}
