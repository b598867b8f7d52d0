import { sql, type Kysely, type Migration } from 'kysely';

/** Each sign-in says which second factor it proved, for workspaces that require one (AU2). */
export const secondFactor: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const { rows } = await sql`SELECT 1 FROM pragma_table_info('logins') WHERE name = 'second_factor'`.execute(db);
    if (rows.length > 0) return;
    await sql`ALTER TABLE logins ADD COLUMN second_factor TEXT`.execute(db);
    await sql`UPDATE logins SET second_factor = CASE factor WHEN 'password+code' THEN 'code' ELSE factor END
      WHERE factor IN ('password+code', 'passkey', 'oidc')`.execute(db);
  },
};
