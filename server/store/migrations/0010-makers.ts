import type { Kysely, Migration } from 'kysely';

/** The key or sign-in that made a session, for the caps per credential (BR7). */
export const makers: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('sessions').addColumn('maker', 'text').execute();
  },
};
