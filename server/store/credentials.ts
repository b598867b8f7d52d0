import type { Selectable } from 'kysely';
import {
  factorSchema,
  secondFactorOf,
  secondFactorSchema,
  type Factor,
  type SecondFactorKind,
} from '@/lib/people/factors';
import type { Database } from './connection';
import { newId } from './ids';
import type { Tables } from './tables';

export interface SignIn {
  readonly id: string;
  readonly workspace: string;
  readonly person: string;
  readonly factor: Factor;
  /** At sign-in, or set up since. */
  readonly secondFactor: SecondFactorKind | undefined;
  readonly expiresAt: string;
}

/** A live sign-in as its person sees it. */
export interface SignInView extends SignIn {
  readonly address: string | null;
  /** The User-Agent header, cut. */
  readonly agent: string | null;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

export interface NewSignIn {
  readonly workspace: string;
  readonly person: string;
  readonly hash: string;
  readonly factor: Factor;
  readonly address?: string | undefined;
  readonly agent?: string | undefined;
  readonly expiresAt: Date;
}

/** What a one-time token is for: to sign in, or to choose a new password. */
type TokenPurpose = 'sign-in' | 'password';

/** Most characters of a User-Agent header that are kept. */
const MOST_AGENT = 300;

/**
 * The owner of a credential. Credentials are found by hash alone; the workspace follows from them, not the other way
 * round.
 */
interface Owner {
  readonly workspace: string;
  readonly person: string;
}

/** One-time sign-in tokens and the sign-ins that they are exchanged for. Only SHA-256 hashes are stored. */
export class SignInRepository {
  constructor(private readonly db: Database) {}

  /** @param token `by`: the person who made it for somebody else */
  async addToken(
    token: Owner & { hash: string; purpose?: TokenPurpose; by?: string | undefined; expiresAt: Date },
    now: Date,
  ): Promise<void> {
    const { workspace, person, hash, purpose = 'sign-in', by } = token;
    const row = {
      workspace,
      person,
      hash,
      purpose,
      made_by: by ?? null,
      created_at: now.toISOString(),
      expires_at: token.expiresAt.toISOString(),
      used_at: null,
    };
    await this.db.insertInto('sign_in_tokens').values(row).execute();
  }

  /**
   * Whether `redeemToken` would accept this token now. Reading is cheap, and keeps wrong tokens from the
   * database's one writer.
   */
  async canRedeem(hash: string, now: Date, purpose: TokenPurpose = 'sign-in'): Promise<boolean> {
    const unused = this.db
      .selectFrom('sign_in_tokens')
      .select('hash')
      .where('hash', '=', hash)
      .where('purpose', '=', purpose)
      .where('used_at', 'is', null)
      .where('expires_at', '>', now.toISOString());
    return (await unused.executeTakeFirst()) !== undefined;
  }

  /** Uses up a token of this purpose; undefined when it is unknown, used or too old. */
  async redeemToken(hash: string, purpose: TokenPurpose, now: Date): Promise<Owner | undefined> {
    const time = now.toISOString();
    const unused = this.db
      .updateTable('sign_in_tokens')
      .set({ used_at: time })
      .where('hash', '=', hash)
      .where('purpose', '=', purpose)
      .where('used_at', 'is', null)
      .where('expires_at', '>', time);
    return unused.returning(['workspace', 'person']).executeTakeFirst();
  }

  /** The person who made a token for somebody else. */
  async makerOf(hash: string): Promise<string | undefined> {
    const token = this.db.selectFrom('sign_in_tokens').select('made_by').where('hash', '=', hash);
    return (await token.executeTakeFirst())?.made_by ?? undefined;
  }

  /** Adds the sign-in of a person who has proved who they are. */
  async add({ expiresAt, agent, ...signIn }: NewSignIn, now: Date): Promise<SignIn> {
    const { workspace, person, factor } = signIn;
    const secondFactor = secondFactorOf(factor);
    const made = { id: newId('l'), workspace, person, factor, secondFactor, expiresAt: expiresAt.toISOString() };
    const row = { ...signIn, id: made.id, agent: agent?.slice(0, MOST_AGENT) ?? null, expires_at: made.expiresAt };
    await this.db
      .insertInto('logins')
      .values({ ...row, second_factor: secondFactor ?? null, created_at: now.toISOString(), revoked_at: null })
      .execute();
    return made;
  }

  /** The live sign-in of this hash, with the hash as stored for a constant-time comparison. */
  async find(hash: string, now: Date): Promise<(SignIn & { hash: string }) | undefined> {
    const live = this.db
      .selectFrom('logins')
      .selectAll()
      .where('hash', '=', hash)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now.toISOString());
    const row = await live.executeTakeFirst();
    return row && { ...toSignIn(row), hash: row.hash };
  }

  /** The live sign-ins of a person, newest first. */
  async list(person: string, now: Date): Promise<SignInView[]> {
    const live = this.db.selectFrom('logins').selectAll().where('person', '=', person).where('revoked_at', 'is', null);
    const rows = await live.where('expires_at', '>', now.toISOString()).orderBy('created_at', 'desc').execute();
    return rows.map((row) => ({
      ...toSignIn(row),
      address: row.address,
      agent: row.agent,
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at,
    }));
  }

  /** All live sign-ins. */
  async live(now: Date): Promise<SignIn[]> {
    const live = this.db.selectFrom('logins').selectAll().where('revoked_at', 'is', null);
    return (await live.where('expires_at', '>', now.toISOString()).execute()).map(toSignIn);
  }

  /** A sign-in proves a second factor that its person has set up in it. */
  async setSecondFactor(id: string, secondFactor: SecondFactorKind): Promise<void> {
    await this.db.updateTable('logins').set({ second_factor: secondFactor }).where('id', '=', id).execute();
  }

  /** The person does not have this second factor any more; returns the sign-ins that had proved it. */
  async endSecondFactor(person: string, secondFactor: SecondFactorKind): Promise<Pick<SignIn, 'id' | 'person'>[]> {
    const change = this.db.updateTable('logins').set({ second_factor: null }).where('person', '=', person);
    return change.where('second_factor', '=', secondFactor).returning(['id', 'person']).execute();
  }

  /** Notes when, and from which address, a sign-in was used last. */
  async touch(id: string, address: string, now: Date): Promise<void> {
    const change = this.db.updateTable('logins').set({ last_used_at: now.toISOString(), address });
    await change.where('id', '=', id).execute();
  }

  /** Ends a sign-in of the person; false when there is no such live one. */
  async revoke(person: string, id: string, now: Date): Promise<boolean> {
    const change = this.db.updateTable('logins').set({ revoked_at: now.toISOString() });
    const result = await change
      .where('person', '=', person)
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  /** Ends all sign-ins of a person, or all but one, and raises their stamp; returns the ids of those that were live. */
  async revokeAll(person: string, { but }: { readonly but?: string | undefined }, now: Date): Promise<string[]> {
    await raiseStamp(this.db, person);
    const change = this.db.updateTable('logins').set({ revoked_at: now.toISOString() });
    const live = change.where('person', '=', person).where('revoked_at', 'is', null);
    const ended = but === undefined ? live : live.where('id', '!=', but);
    return (await ended.returning('id').execute()).map(({ id }) => id);
  }

  /**
   * Ends the sign-ins of a person that were made by this factor, or all but one; returns the ids of those that were
   * live.
   */
  async revokeMadeBy(person: string, factor: Factor, but: string | undefined, now: Date): Promise<string[]> {
    const change = this.db.updateTable('logins').set({ revoked_at: now.toISOString() }).where('person', '=', person);
    const live = change.where('factor', '=', factor).where('revoked_at', 'is', null);
    const ended = but === undefined ? live : live.where('id', '!=', but);
    return (await ended.returning('id').execute()).map(({ id }) => id);
  }

  /**
   * The stamp of a person: read it before they prove who they are. When it has risen since, their sign-ins have ended
   * or they have another password, and the proof counts no more.
   */
  async stampOf(person: string): Promise<number | undefined> {
    const own = this.db.selectFrom('people').select('sign_in_stamp').where('id', '=', person);
    return (await own.executeTakeFirst())?.sign_in_stamp;
  }

  /** Ends the unused one-time tokens of a person, or those of one purpose. */
  async endTokens(person: string, now: Date, purpose?: TokenPurpose): Promise<void> {
    const change = this.db.updateTable('sign_in_tokens').set({ used_at: now.toISOString() });
    const unused = change.where('person', '=', person).where('used_at', 'is', null);
    await (purpose === undefined ? unused : unused.where('purpose', '=', purpose)).execute();
  }

  /** Ends the unused links for a new password that others made for these people. */
  async endGivenLinks(people: readonly string[], now: Date): Promise<void> {
    const change = this.db.updateTable('sign_in_tokens').set({ used_at: now.toISOString() });
    const given = change.where('made_by', 'is not', null).where('used_at', 'is', null);
    await given.where('person', 'in', people).execute();
  }

  /** The sign-ins and unused tokens of a person that opened one workspace open another. */
  async moveHome(person: string, from: string, to: string): Promise<void> {
    for (const table of ['logins', 'sign_in_tokens'] as const) {
      const change = this.db.updateTable(table).set({ workspace: to }).where('person', '=', person);
      await change.where('workspace', '=', from).execute();
    }
  }

  /** Remembers a browser that the person signed in with. */
  async knowBrowser(hash: string, person: string, now: Date): Promise<void> {
    const time = now.toISOString();
    await this.db
      .insertInto('known_browsers')
      .values({ hash, person, created_at: time, last_used_at: time })
      .onConflict((conflict) => conflict.column('hash').doUpdateSet({ person, last_used_at: time }))
      .execute();
  }

  /** Forgets the browsers that a person signed in with, or all but one. */
  async forgetBrowsers(person: string, but: string | undefined): Promise<void> {
    const known = this.db.deleteFrom('known_browsers').where('person', '=', person);
    await (but === undefined ? known : known.where('hash', '!=', but)).execute();
  }

  /** Whether the person signed in with this browser before. */
  async isKnownBrowser(hash: string, person: string): Promise<boolean> {
    const known = this.db.selectFrom('known_browsers').select('hash').where('hash', '=', hash);
    return (await known.where('person', '=', person).executeTakeFirst()) !== undefined;
  }

  /** Deletes tokens and sign-ins that expired before `before`, and browsers that nobody signed in with for a year. */
  async prune(before: Date): Promise<void> {
    const yearAgo = new Date(before.getTime() - YEAR_MS);
    await this.db.deleteFrom('sign_in_tokens').where('expires_at', '<', before.toISOString()).execute();
    await this.db.deleteFrom('logins').where('expires_at', '<', before.toISOString()).execute();
    await this.db.deleteFrom('known_browsers').where('last_used_at', '<', yearAgo.toISOString()).execute();
  }
}

/** Lets no sign-in of a person be completed that began before. */
export async function raiseStamp(db: Database, person: string): Promise<void> {
  const change = db.updateTable('people').set((row) => ({ sign_in_stamp: row('sign_in_stamp', '+', 1) }));
  await change.where('id', '=', person).execute();
}

const YEAR_MS = 365 * 86_400_000;

function toSignIn(row: Selectable<Tables['logins']>): SignIn {
  const { id, workspace, person } = row;
  const secondFactor = secondFactorSchema.nullable().parse(row.second_factor) ?? undefined;
  return { id, workspace, person, factor: factorSchema.parse(row.factor), secondFactor, expiresAt: row.expires_at };
}
