import { sql, type Kysely, type Migration } from 'kysely';

/**
 * Who is on a help request, and who has paused the agents of a session. Runs in one transaction, and again if it was
 * interrupted before it was recorded.
 */
export const between: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const { rows } = await sql`SELECT 1 FROM pragma_table_info('questions') WHERE name = 'claimed_json'`.execute(db);
    if (rows.length > 0) return;
    await db.transaction().execute(async (tx) => {
      await sql`ALTER TABLE questions ADD COLUMN claimed_json TEXT NOT NULL DEFAULT 'null'`.execute(tx);
      await sql`ALTER TABLE sessions ADD COLUMN paused_json TEXT NOT NULL DEFAULT 'null'`.execute(tx);
    });
  },
};
