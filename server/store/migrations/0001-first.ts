import { sql, type Kysely, type Migration } from 'kysely';

/** The first tables. A migration that has been released is never edited: add another. */
export const first: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await createPeople(db);
    await createBrowsing(db);
    await createRecords(db);
  },
};

async function createPeople(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('meta')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('workspaces')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();
  await owned(db, 'people')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('rev', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();
  await createCredentials(db);
}

async function createCredentials(db: Kysely<unknown>): Promise<void> {
  await owned(db, 'api_keys')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('person', 'text', (c) => c.notNull().references('people.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('hint', 'text', (c) => c.notNull())
    .addColumn('grants_json', 'text', (c) => c.notNull())
    .addColumn('rev', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('last_used_at', 'text')
    .addColumn('revoked_at', 'text')
    .execute();
  await owned(db, 'sign_in_tokens')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('person', 'text', (c) => c.notNull().references('people.id'))
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .addColumn('used_at', 'text')
    .execute();
  await owned(db, 'logins')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('person', 'text', (c) => c.notNull().references('people.id'))
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .addColumn('revoked_at', 'text')
    .execute();
}

async function createBrowsing(db: Kysely<unknown>): Promise<void> {
  await owned(db, 'browsers')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('origin', 'text', (c) => c.notNull())
    .addColumn('cdp_url', 'text')
    .addColumn('pid', 'integer')
    .addColumn('process_started', 'text')
    .addColumn('port', 'integer')
    .addColumn('user_data_dir', 'text')
    .addColumn('product', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute();
  await owned(db, 'sessions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('browser', 'text', (c) => c.notNull().references('browsers.id'))
    .addColumn('isolation', 'text', (c) => c.notNull())
    .addColumn('context_id', 'text')
    .addColumn('viewport_json', 'text', (c) => c.notNull())
    .addColumn('policy_json', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('ended_at', 'text')
    .execute();
  await createTabs(db);
  await db.schema.createIndex('sessions_by_workspace').on('sessions').columns(['workspace', 'state']).execute();
}

async function createTabs(db: Kysely<unknown>): Promise<void> {
  await ofSession(db, 'tabs')
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('target_id', 'text', (c) => c.notNull())
    .addColumn('label', 'text')
    .addColumn('opener', 'text')
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('last_ref', 'integer', (c) => c.notNull())
    .addColumn('opened_at', 'text', (c) => c.notNull())
    .addColumn('closed_at', 'text')
    .addPrimaryKeyConstraint('tabs_key', ['session', 'id'])
    .execute();
  await ofSession(db, 'leases')
    .addColumn('tab', 'text', (c) => c.notNull())
    .addColumn('epoch', 'integer', (c) => c.notNull())
    .addColumn('holder_json', 'text', (c) => c.notNull())
    .addColumn('taken_from_json', 'text', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('leases_key', ['session', 'tab'])
    .execute();
}

async function createRecords(db: Kysely<unknown>): Promise<void> {
  await ofSession(db, 'timeline')
    .addColumn('seq', 'integer', (c) => c.notNull())
    .addColumn('event_id', 'text', (c) => c.notNull())
    .addColumn('phase', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('payload', 'text', (c) => c.notNull())
    .addColumn('prev_hash', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('timeline_key', ['session', 'seq'])
    .execute();
  await db.schema.createIndex('timeline_by_event').on('timeline').columns(['session', 'event_id']).execute();
  await ofSession(db, 'timeline_heads')
    .addColumn('seq', 'integer', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('seal', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('timeline_heads_key', ['session'])
    .execute();
  await createResults(db);
}

async function createResults(db: Kysely<unknown>): Promise<void> {
  await ofSession(db, 'action_results')
    .addColumn('participant', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull().check(sql`state in ('intended', 'done', 'unknown')`))
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('event_id', 'text', (c) => c.notNull())
    .addColumn('reply_json', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('action_results_key', ['workspace', 'session', 'participant', 'action'])
    .execute();
  await db.schema.createIndex('action_results_by_age').on('action_results').columns(['state', 'created_at']).execute();
}

const owned = (db: Kysely<unknown>, table: string) =>
  db.schema.createTable(table).addColumn('workspace', 'text', (c) => c.notNull().references('workspaces.id'));

const ofSession = (db: Kysely<unknown>, table: string) =>
  owned(db, table).addColumn('session', 'text', (c) => c.notNull().references('sessions.id'));
