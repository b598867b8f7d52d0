import type { Kysely, Migration } from 'kysely';

/** The fields of a tab's documents that stay masked after a private hold (CO8): node ids, no values. */
export const masks: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('tabs')
      .addColumn('masks_json', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute();
  },
};
