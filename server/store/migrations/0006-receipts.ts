import type { Kysely, Migration } from 'kysely';

/** Receipts of a person's work that were not delivered to the agent yet (CO5). */
export const receipts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('receipts')
      .addColumn('workspace', 'text', (c) => c.notNull().references('workspaces.id'))
      .addColumn('session', 'text', (c) => c.notNull().references('sessions.id'))
      .addColumn('participant', 'text', (c) => c.notNull())
      .addColumn('receipt_json', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('receipts_key', ['session', 'participant'])
      .execute();
  },
};
