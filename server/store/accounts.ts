import type { Database } from './connection';
import { newId } from './ids';

/** What the accounts keep beside better-auth's own tables. */
export class AccountRepository {
  /** @param database also what better-auth reads and writes its own tables with; never inside a transaction of ours */
  constructor(readonly database: Database) {}

  /** Stores the hash of a person's password, in place of the one they had. */
  async setPassword(person: string, hash: string, now: Date): Promise<void> {
    const time = now.toISOString();
    const changed = { password: hash, updatedAt: time };
    // As better-auth writes it, which looks it up by the user and this provider.
    const row = { id: newId('a'), accountId: person, providerId: 'credential', userId: person, createdAt: time };
    await this.database
      .insertInto('auth_account')
      .values({ ...row, ...changed })
      .onConflict((conflict) => conflict.columns(['providerId', 'accountId']).doUpdateSet(changed))
      .execute();
  }

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

  /** Deletes everything that a person proves who they are with: password, passkeys, second factor, known browsers. */
  async forget(person: string): Promise<void> {
    for (const table of ['auth_account', 'auth_two_factor', 'auth_passkey'] as const)
      await this.database.deleteFrom(table).where('userId', '=', person).execute();
    for (const table of ['used_codes', 'known_browsers'] as const)
      await this.database.deleteFrom(table).where('person', '=', person).execute();
  }
}
