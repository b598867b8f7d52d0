import type { Kysely, Migration } from 'kysely';
import { digestBefore, digestOf } from '../chain';

type Before = {
  timeline: { session: string; seq: number; payload: string; digest: string };
  timeline_heads: { session: string; digest: string };
};

/** Rows that are read at once while older timelines get their digests. */
const PAGE = 500;

/** Adds the chain that needs no secret, and the signed end of each timeline (TL1, TL2). Keeps the keyed chain. */
export const digests: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('timeline')
      .addColumn('digest', 'text', (c) => c.notNull().defaultTo(''))
      .execute();
    await db.schema
      .alterTable('timeline_heads')
      .addColumn('digest', 'text', (c) => c.notNull().defaultTo(''))
      .execute();
    await db.schema
      .alterTable('timeline_heads')
      .addColumn('signed_seq', 'integer', (c) => c.notNull().defaultTo(-1))
      .execute();
    await db.schema.alterTable('timeline_heads').addColumn('signed_at', 'text').execute();
    await db.schema.alterTable('timeline_heads').addColumn('signature', 'text').execute();
    const tables = db.withTables<Before>();
    for (const { session } of await tables.selectFrom('timeline_heads').select('session').execute()) {
      const digest = await digestRows(tables, session);
      await tables.updateTable('timeline_heads').set({ digest }).where('session', '=', session).execute();
    }
  },
};

/** @returns the digest of the last row */
async function digestRows(tables: Kysely<Before>, session: string): Promise<string> {
  let digest = digestBefore(session);
  for (let last = 0; ;) {
    const page = tables
      .selectFrom('timeline')
      .select(['seq', 'payload'])
      .where('session', '=', session)
      .where('seq', '>', last);
    const rows = await page.orderBy('seq').limit(PAGE).execute();
    for (const { seq, payload } of rows) {
      digest = digestOf(digest, payload);
      last = seq;
      await tables
        .updateTable('timeline')
        .set({ digest })
        .where('session', '=', session)
        .where('seq', '=', seq)
        .execute();
    }
    if (rows.length < PAGE) return digest;
  }
}
