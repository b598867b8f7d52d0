import { sql, type Kysely, type Migration } from 'kysely';
import { WheelhouseError } from '@/lib/errors/error';
import { openSigner } from '../signatures';
import { headText } from '../signer';
import { chainKey, keyedChainHolds, type Keyed } from './keyed-chain';

/**
 * Leaves one hash chain with a signed head (TL1) and drops the keyed chain. Signs an end that a killed run could not
 * sign, if the keyed chain shows that nobody changed it; else it stays unsigned, and verification reports it. Runs in
 * one transaction, and again if it was interrupted before it was recorded.
 */
export function oneChain(dataDir: string): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const { rows } = await sql`SELECT 1 FROM pragma_table_info('timeline') WHERE name = 'hash'`.execute(db);
      if (rows.length === 0) return;
      await db.transaction().execute(async (tx) => {
        await signEnds(tx.withTables<Keyed>(), dataDir);
        for (const column of ['prev_hash', 'hash']) await tx.schema.alterTable('timeline').dropColumn(column).execute();
        for (const column of ['hash', 'seal', 'signed_seq'])
          await tx.schema.alterTable('timeline_heads').dropColumn(column).execute();
      });
    },
  };
}

async function signEnds(db: Kysely<Keyed>, dataDir: string): Promise<void> {
  const heads = db.selectFrom('timeline_heads').selectAll();
  const unsigned = await heads
    .where((head) => head.or([head('signature', 'is', null), head('signed_seq', '!=', head.ref('seq'))]))
    .execute();
  if (unsigned.length === 0) return;
  const key = chainKey(dataDir);
  if (!key) throw lost(dataDir);
  const signed = await heads.where('signature', 'is not', null).limit(1).executeTakeFirst();
  const signer = openSigner(dataDir, signed === undefined);
  for (const { session, seq, digest } of unsigned) {
    if (!(await keyedChainHolds(db, key, session))) continue;
    const at = new Date().toISOString();
    const signature = signer.sign(headText({ session, seq, digest, at }));
    await db.updateTable('timeline_heads').set({ signed_at: at, signature }).where('session', '=', session).execute();
  }
}

function lost(dataDir: string): WheelhouseError {
  return new WheelhouseError(
    'CONFLICT',
    `The file "timeline.key" in "${dataDir}" is missing or damaged, and the timelines were sealed with it. Put it back from a backup, or move the data directory away to start afresh.`,
  );
}
