import type { Kysely, Migration } from 'kysely';

/** Help requests of agents (CO6): open ones, and outcomes that were not delivered yet. */
export const questions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('questions')
      .addColumn('workspace', 'text', (c) => c.notNull().references('workspaces.id'))
      .addColumn('session', 'text', (c) => c.notNull().references('sessions.id'))
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('asked_json', 'text', (c) => c.notNull())
      .addColumn('outcome_json', 'text', (c) => c.notNull())
      .addColumn('created_at', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('questions_key', ['session', 'id'])
      .execute();
  },
};
