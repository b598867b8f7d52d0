import { sql, type Kysely, type Migration } from 'kysely';

/** Each key says which key made it, if one did: it ends with that one (AU2). Keys of before stay as they are. */
export const madeBy: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const { rows } = await sql`SELECT 1 FROM pragma_table_info('api_keys') WHERE name = 'made_by'`.execute(db);
    if (rows.length === 0) await sql`ALTER TABLE api_keys ADD COLUMN made_by TEXT`.execute(db);
  },
};
