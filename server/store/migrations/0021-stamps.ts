import { sql, type Kysely, type Migration, type RawBuilder } from 'kysely';

/**
 * A stamp for each person, which rises when their sign-ins end or their password changes: a sign-in that began before
 * is not completed (AU2). An invitation that a key made names the key, with which it ends.
 */
export const stamps: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await addColumn(
      db,
      'people',
      'sign_in_stamp',
      sql`ALTER TABLE people ADD COLUMN sign_in_stamp INTEGER NOT NULL DEFAULT 0`,
    );
    await addColumn(db, 'invitations', 'made_by_key', sql`ALTER TABLE invitations ADD COLUMN made_by_key TEXT`);
  },
};

async function addColumn(db: Kysely<unknown>, table: string, column: string, add: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql`SELECT 1 FROM pragma_table_info(${table}) WHERE name = ${column}`.execute(db);
  if (rows.length === 0) await add.execute(db);
}
