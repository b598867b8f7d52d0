import type { Kysely, Migration } from 'kysely';

/** Private holds of leases survive a restart (CO8). */
export const covers: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('leases')
      .addColumn('cover_json', 'text', (c) => c.notNull().defaultTo('null'))
      .execute();
  },
};
