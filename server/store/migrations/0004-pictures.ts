import type { Kysely, Migration } from 'kysely';

/** Which timeline rows have an action picture (TL2). The pictures themselves are files. */
export const pictures: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('pictures')
      .addColumn('workspace', 'text', (c) => c.notNull().references('workspaces.id'))
      .addColumn('session', 'text', (c) => c.notNull().references('sessions.id'))
      .addColumn('seq', 'integer', (c) => c.notNull())
      .addColumn('event_id', 'text', (c) => c.notNull())
      .addColumn('at', 'text', (c) => c.notNull())
      .addColumn('sha256', 'text', (c) => c.notNull())
      .addColumn('bytes', 'integer', (c) => c.notNull())
      .addColumn('width', 'real', (c) => c.notNull())
      .addColumn('height', 'real', (c) => c.notNull())
      .addColumn('signature', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('pictures_key', ['session', 'seq'])
      .execute();
    await db.schema.createIndex('pictures_by_event').on('pictures').columns(['session', 'event_id']).execute();
  },
};
