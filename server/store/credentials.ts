import type { Database } from './connection';
import { newId } from './ids';

export interface Login {
  readonly id: string;
  readonly workspace: string;
  readonly person: string;
  readonly expiresAt: string;
}

/**
 * The owner of a credential. Credentials are found by hash alone; the workspace follows from them, not the other way
 * round.
 */
interface Owner {
  readonly workspace: string;
  readonly person: string;
}

/** One-time sign-in tokens and the cookie logins that they are exchanged for. Only SHA-256 hashes are stored. */
export class LoginRepository {
  constructor(private readonly db: Database) {}

  async addToken(token: Owner & { hash: string; expiresAt: Date }, now: Date): Promise<void> {
    const { workspace, person, hash } = token;
    const row = {
      workspace,
      person,
      hash,
      created_at: now.toISOString(),
      expires_at: token.expiresAt.toISOString(),
      used_at: null,
    };
    await this.db.insertInto('sign_in_tokens').values(row).execute();
  }

  /**
   * Whether `redeem` would accept this token now. Reading is cheap, and keeps wrong tokens from the database's one
   * writer.
   */
  async canRedeem(hash: string, now: Date): Promise<boolean> {
    const unused = this.db
      .selectFrom('sign_in_tokens')
      .select('hash')
      .where('hash', '=', hash)
      .where('used_at', 'is', null)
      .where('expires_at', '>', now.toISOString());
    return (await unused.executeTakeFirst()) !== undefined;
  }

  /**
   * Uses up a token and makes the login in one step, so that one of two simultaneous callers wins. Undefined when the
   * token is unknown, used or too old.
   */
  redeem(token: { hash: string }, login: { hash: string; expiresAt: Date }, now: Date): Promise<Login | undefined> {
    const time = now.toISOString();
    return this.db.transaction().execute(async (tx) => {
      const unused = tx
        .updateTable('sign_in_tokens')
        .set({ used_at: time })
        .where('hash', '=', token.hash)
        .where('used_at', 'is', null)
        .where('expires_at', '>', time);
      const owner = await unused.returning(['workspace', 'person']).executeTakeFirst();
      if (!owner) return undefined;
      const made = { id: newId('l'), ...owner, expiresAt: login.expiresAt.toISOString() };
      const { expiresAt, ...rest } = made;
      await tx
        .insertInto('logins')
        .values({ ...rest, hash: login.hash, created_at: time, expires_at: expiresAt, revoked_at: null })
        .execute();
      return made;
    });
  }

  /** The live login of this hash, with the hash as stored for a constant-time comparison. */
  async find(hash: string, now: Date): Promise<(Login & { hash: string }) | undefined> {
    const live = this.db
      .selectFrom('logins')
      .selectAll()
      .where('hash', '=', hash)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now.toISOString());
    const row = await live.executeTakeFirst();
    return (
      row && { id: row.id, workspace: row.workspace, person: row.person, expiresAt: row.expires_at, hash: row.hash }
    );
  }

  /** Ends a login; false when there is no such live one. */
  async revoke(workspace: string, id: string, now: Date): Promise<boolean> {
    const change = this.db.updateTable('logins').set({ revoked_at: now.toISOString() });
    const result = await change
      .where('workspace', '=', workspace)
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  /** Deletes tokens and logins that expired before `before`. */
  async prune(before: Date): Promise<void> {
    await this.db.deleteFrom('sign_in_tokens').where('expires_at', '<', before.toISOString()).execute();
    await this.db.deleteFrom('logins').where('expires_at', '<', before.toISOString()).execute();
  }
}
