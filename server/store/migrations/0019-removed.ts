import { sql, type Kysely, type Migration } from 'kysely';

/** The digests of the addresses of people who were removed from the server: OIDC_DOMAINS does not let them in (AU2). */
export const removed: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`CREATE TABLE IF NOT EXISTS removed_addresses (digest TEXT PRIMARY KEY, removed_at TEXT NOT NULL)`.execute(
      db,
    );
  },
};
