import type { Kysely, Migration } from 'kysely';

/** Which tab of a session is the active one, for it and for each participant (SE2). */
export const active: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('sessions')
      .addColumn('active_json', 'text', (c) => c.notNull().defaultTo('{}'))
      .execute();
  },
};
