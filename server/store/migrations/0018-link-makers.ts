import { sql, type Kysely, type Migration } from 'kysely';

/** Each one-time link says which person made it for somebody else: it works only while they may make it (AU2). */
export const linkMakers: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const { rows } = await sql`SELECT 1 FROM pragma_table_info('sign_in_tokens') WHERE name = 'made_by'`.execute(db);
    if (rows.length === 0) await sql`ALTER TABLE sign_in_tokens ADD COLUMN made_by TEXT`.execute(db);
  },
};
