import type { Kysely, Migration } from 'kysely';

/** What agents have to be told of a person's work, and have not been told yet (CO5). */
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
