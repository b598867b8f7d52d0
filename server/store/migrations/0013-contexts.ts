import { sql, type Kysely, type Migration } from 'kysely';

/**
 * A session has contexts, one to many: a list takes the place of the one id. All of it or nothing; done again when it
 * was cut off before it was noted as done.
 */
export const contexts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const { rows } = await sql`SELECT 1 FROM pragma_table_info('sessions') WHERE name = 'context_id'`.execute(db);
    if (rows.length === 0) return;
    await db.transaction().execute(async (tx) => {
      await tx.schema
        .alterTable('sessions')
        .addColumn('contexts_json', 'text', (column) => column.notNull().defaultTo('[]'))
        .execute();
      await sql`update sessions set contexts_json = json_array(context_id) where context_id is not null`.execute(tx);
      await tx.schema.alterTable('sessions').dropColumn('context_id').execute();
    });
  },
};
