import { sql, type Kysely, type Migration } from 'kysely';

/** A session has contexts, one to many: a list takes the place of the one id. */
export const contexts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('sessions')
      .addColumn('contexts_json', 'text', (column) => column.notNull().defaultTo('[]'))
      .execute();
    await sql`update sessions set contexts_json = json_array(context_id) where context_id is not null`.execute(db);
    await db.schema.alterTable('sessions').dropColumn('context_id').execute();
  },
};
