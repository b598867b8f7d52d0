import type { Kysely, Migration } from 'kysely';

/** The active tab of a session and of each participant (SE2). */
export const active: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('sessions')
      .addColumn('active_json', 'text', (c) => c.notNull().defaultTo('{}'))
      .execute();
  },
};
