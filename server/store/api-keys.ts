import { z } from 'zod';
import type { Database } from './connection';
import { newId } from './ids';
import type { Tables } from './tables';
import type { Selectable } from 'kysely';

const grantsSchema = z.array(z.string());

export interface ApiKey {
  readonly id: string;
  readonly workspace: string;
  /** The person who made it. */
  readonly person: string;
  readonly name: string;
  /** The last four characters, by which people recognise the key. */
  readonly hint: string;
  readonly grants: readonly string[];
  readonly rev: number;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

export interface NewApiKey {
  readonly person: string;
  readonly name: string;
  readonly hash: string;
  readonly hint: string;
  readonly grants: readonly string[];
}

/** Keys of agents; only their SHA-256 is stored. */
export class ApiKeyRepository {
  constructor(private readonly db: Database) {}

  /** Adds a key; undefined when its maker has `limit` live ones already. */
  add(workspace: string, key: NewApiKey, limit: number, now: Date): Promise<ApiKey | undefined> {
    const { grants, ...rest } = key;
    const row = {
      id: newId('k'),
      workspace,
      ...rest,
      grants_json: JSON.stringify(grants),
      rev: 0,
      created_at: now.toISOString(),
      last_used_at: null,
      revoked_at: null,
    };
    return this.db.transaction().execute(async (tx) => {
      const live = tx
        .selectFrom('api_keys')
        .select('id')
        .where('workspace', '=', workspace)
        .where('person', '=', key.person)
        .where('revoked_at', 'is', null);
      if ((await live.execute()).length >= limit) return undefined;
      await tx.insertInto('api_keys').values(row).execute();
      return toKey(row);
    });
  }

  async list(workspace: string): Promise<ApiKey[]> {
    const live = this.db
      .selectFrom('api_keys')
      .selectAll()
      .where('workspace', '=', workspace)
      .where('revoked_at', 'is', null);
    return (await live.orderBy('created_at').execute()).map(toKey);
  }

  /** The live key of this hash, with the hash as stored for a constant-time comparison. */
  async find(hash: string): Promise<(ApiKey & { hash: string }) | undefined> {
    const row = await this.db
      .selectFrom('api_keys')
      .selectAll()
      .where('hash', '=', hash)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    return row && { ...toKey(row), hash: row.hash };
  }

  async touch(workspace: string, id: string, now: Date): Promise<void> {
    await this.db
      .updateTable('api_keys')
      .set({ last_used_at: now.toISOString() })
      .where('workspace', '=', workspace)
      .where('id', '=', id)
      .execute();
  }

  /** Ends a key and raises its revision; false when there is no such live key. */
  async revoke(workspace: string, id: string, now: Date): Promise<boolean> {
    const change = this.db
      .updateTable('api_keys')
      .set((row) => ({ revoked_at: now.toISOString(), rev: row('rev', '+', 1) }));
    const result = await change
      .where('workspace', '=', workspace)
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }
}

function toKey(row: Selectable<Tables['api_keys']>): ApiKey {
  return {
    id: row.id,
    workspace: row.workspace,
    person: row.person,
    name: row.name,
    hint: row.hint,
    grants: grantsSchema.parse(JSON.parse(row.grants_json)),
    rev: row.rev,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}
