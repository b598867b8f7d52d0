import type { Kysely, Migration } from 'kysely';

/** Whose key or sign-in made a session, for what one of them may have (BR7). */
export const makers: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('sessions').addColumn('maker', 'text').execute();
  },
};
