import type { Database } from './connection';

/** What the accounts keep beside better-auth's own tables. */
export class AccountRepository {
  /** @param database also what better-auth reads and writes its own tables with; never inside a transaction of ours */
  constructor(readonly database: Database) {}

  /** Uses up a one-time code, by its digest; false when it was used before. */
  async useCode(person: string, digest: string, expiresAt: Date, now: Date): Promise<boolean> {
    await this.database.deleteFrom('used_codes').where('expires_at', '<', now.toISOString()).execute();
    const code = { person, digest, expires_at: expiresAt.toISOString() };
    const added = this.database
      .insertInto('used_codes')
      .values(code)
      .onConflict((conflict) => conflict.doNothing());
    return (await added.executeTakeFirst()).numInsertedOrUpdatedRows === 1n;
  }
}
