import { sql, type Kysely, type Migration } from 'kysely';

/**
 * A session has one or more contexts: replaces the context id by a list. Runs in one transaction, and again if it was
 * interrupted before it was recorded.
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
