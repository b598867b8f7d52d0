import type { Database } from './connection';
import { raiseStamp } from './credentials';
import { newId } from './ids';

/** For better-auth, the accounts of OIDC_ISSUER. */
const PROVIDER = 'oidc';

/** By what a person can prove who they are. */
export interface AccountFactors {
  readonly password: boolean;
  /** Codes of an authenticator app are on. */
  readonly code: boolean;
  readonly passkeys: number;
  /** They sign in by the provider of their organisation. */
  readonly oidc: boolean;
}

export interface Passkey {
  readonly id: string;
  readonly name: string | null;
  readonly createdAt: string | null;
}

/** What the accounts keep beside better-auth's own tables. */
export class AccountRepository {
  /** @param database also what better-auth reads and writes its own tables with; never inside a transaction of ours */
  constructor(readonly database: Database) {}

  /** Stores the hash of a person's password, in place of the one they had, and raises their stamp. */
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
    await raiseStamp(this.database, person);
  }

  /** Who this is whom a provider knows. @param account the provider, and its name for the person */
  async byProvider(account: string): Promise<string | undefined> {
    const known = this.database.selectFrom('auth_account').select('userId').where('providerId', '=', PROVIDER);
    return (await known.where('accountId', '=', account).executeTakeFirst())?.userId;
  }

  /** Whether the person has an identity of a provider, by what its accounts begin with. */
  async hasProvider(person: string, begins: string): Promise<boolean> {
    const own = this.database.selectFrom('auth_account').select('accountId').where('providerId', '=', PROVIDER);
    return (await own.where('userId', '=', person).execute()).some(({ accountId }) => accountId.startsWith(begins));
  }

  /** Lets a person sign in by a provider; no token of it is kept. */
  async addProvider(person: string, account: string, now: Date): Promise<void> {
    const time = now.toISOString();
    const row = { id: newId('a'), accountId: account, providerId: PROVIDER, userId: person, password: null };
    await this.database
      .insertInto('auth_account')
      .values({ ...row, createdAt: time, updatedAt: time })
      .execute();
  }

  /**
   * Takes the identity of the provider from a person. Their address counts as not verified then: otherwise the next
   * identity with that address would be joined to their account. False when the person has none.
   */
  async removeProvider(person: string): Promise<boolean> {
    await this.database.updateTable('auth_user').set({ emailVerified: 0 }).where('id', '=', person).execute();
    const own = this.database.deleteFrom('auth_account').where('userId', '=', person);
    return (await own.where('providerId', '=', PROVIDER).executeTakeFirst()).numDeletedRows > 0n;
  }

  /** The hash of a person's password. */
  async passwordOf(person: string): Promise<string | undefined> {
    const own = this.database.selectFrom('auth_account').select('password').where('userId', '=', person);
    return (await own.where('providerId', '=', 'credential').executeTakeFirst())?.password ?? undefined;
  }

  async factorsOf(person: string): Promise<AccountFactors> {
    const [user, accounts, passkeys] = await Promise.all([
      this.database.selectFrom('auth_user').select('twoFactorEnabled').where('id', '=', person).executeTakeFirst(),
      this.database
        .selectFrom('auth_account')
        .select(['providerId', 'password'])
        .where('userId', '=', person)
        .execute(),
      this.database.selectFrom('auth_passkey').select('id').where('userId', '=', person).execute(),
    ]);
    return {
      password: accounts.some(({ providerId, password }) => providerId === 'credential' && password !== null),
      code: user?.twoFactorEnabled === 1,
      passkeys: passkeys.length,
      oidc: accounts.some(({ providerId }) => providerId === PROVIDER),
    };
  }

  /** The passkeys of a person, oldest first. */
  async passkeysOf(person: string): Promise<Passkey[]> {
    const own = this.database.selectFrom('auth_passkey').select(['id', 'name', 'createdAt']);
    return own.where('userId', '=', person).orderBy('createdAt').orderBy('id').execute();
  }

  /** Whether the person has the passkey that browsers know by this id. */
  async hasPasskey(person: string, credential: string): Promise<boolean> {
    const own = this.database.selectFrom('auth_passkey').select('id').where('userId', '=', person);
    return (await own.where('credentialID', '=', credential).executeTakeFirst()) !== undefined;
  }

  /** False when the person has no such passkey. */
  async removePasskey(person: string, id: string): Promise<boolean> {
    const own = this.database.deleteFrom('auth_passkey').where('userId', '=', person).where('id', '=', id);
    return (await own.executeTakeFirst()).numDeletedRows > 0n;
  }

  /**
   * Turns the codes of a person off, forgets their recovery codes, and raises their stamp.
   *
   * @param recoveryCodes no effect unless `recoveryCodesOf` still gives these
   */
  async removeSecondFactor(person: string, recoveryCodes?: string): Promise<void> {
    const own = this.database.deleteFrom('auth_two_factor').where('userId', '=', person);
    const { numDeletedRows } = await (
      recoveryCodes === undefined ? own : own.where('backupCodes', '=', recoveryCodes)
    ).executeTakeFirst();
    if (recoveryCodes !== undefined && numDeletedRows === 0n) return;
    await this.database.updateTable('auth_user').set({ twoFactorEnabled: 0 }).where('id', '=', person).execute();
    await raiseStamp(this.database, person);
  }

  /** The recovery codes of a person as better-auth keeps them, encrypted. */
  async recoveryCodesOf(person: string): Promise<string | undefined> {
    const own = this.database.selectFrom('auth_two_factor').select('backupCodes').where('userId', '=', person);
    return (await own.executeTakeFirst())?.backupCodes;
  }

  /** Puts back what `recoveryCodesOf` gave before; no effect unless it still gives `present`. */
  async putBackRecoveryCodes(person: string, before: string, present: string): Promise<void> {
    const change = this.database.updateTable('auth_two_factor').set({ backupCodes: before });
    await change.where('userId', '=', person).where('backupCodes', '=', present).execute();
  }

  /** Whether anybody can sign in without a link of the server: by password, passkey or provider. */
  async any(): Promise<boolean> {
    for (const table of ['auth_account', 'auth_passkey'] as const)
      if (await this.database.selectFrom(table).select('id').limit(1).executeTakeFirst()) return true;
    return false;
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
    // The identity of a removed person stays: they come back by an invitation, not by OIDC_DOMAINS.
    const own = this.database.deleteFrom('auth_account').where('userId', '=', person);
    await own.where('providerId', '!=', PROVIDER).execute();
    await this.removeSecondFactor(person);
    await this.database.deleteFrom('auth_passkey').where('userId', '=', person).execute();
    for (const table of ['used_codes', 'known_browsers'] as const)
      await this.database.deleteFrom(table).where('person', '=', person).execute();
  }
}
