import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatMessage } from '@/lib/messages/format';
import type { Logger } from '@/server/telemetry/logger';
import type { Database } from './connection';
import { secretFile, touchPrivate } from './data-dir';
import { HeadFile, type TimelineLoss } from './head-file';
import { lastCount } from './migrations/keyed-chain';
import { Signer, type Head } from './signer';

const SIGNING_KEY_FILE = 'timeline-signing.key';
/** The public key, for `wheelhouse-verify --data` and for a copy elsewhere. */
const PUBLIC_KEY_FILE = 'timeline-signing.pub';

/** What the server needs to sign timelines. */
export interface Signatures {
  readonly signer: Signer;
  readonly heads: HeadFile;
  readonly loss: TimelineLoss | undefined;
}

/**
 * Opens the key and the head file, and compares the file with the database. Throws CONFLICT when a key that was used is
 * missing.
 */
export async function openSignatures(db: Database, dataDir: string, logger: Logger): Promise<Signatures> {
  const signed = await db
    .selectFrom('timeline_heads')
    .select('session')
    .where('signature', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  const log = await db.selectFrom('workspace_log_heads').select('workspace').limit(1).executeTakeFirst();
  const signer = openSigner(dataDir, signed === undefined && log === undefined);
  publish(dataDir, signer);
  const rows = await rowsOf(db);
  const before = lastCount(dataDir, rows);
  const present = {
    rows,
    newest: await newestOf(db),
    digestAt: (session: string, seq: number) => digestAt(db, session, seq),
  };
  const { heads, loss: found } = await HeadFile.open(dataDir, signer, present);
  const loss = before ? before.loss : found;
  if (loss) logger.error({ count: loss.rows }, formatMessage(loss.said).text);
  return { signer, heads, loss };
}

/** @param mayMake false: the key must exist, since signatures made with it would no longer verify */
export function openSigner(dataDir: string, mayMake: boolean): Signer {
  return new Signer(secretFile(dataDir, SIGNING_KEY_FILE, mayMake));
}

async function rowsOf(db: Database): Promise<number> {
  const heads = db.selectFrom('timeline_heads').select((row) => [row.fn.sum<number | null>('seq').as('rows')]);
  return (await heads.executeTakeFirst())?.rows ?? 0;
}

async function newestOf(db: Database): Promise<Head | undefined> {
  const heads = db.selectFrom('timeline_heads').select(['session', 'seq', 'digest', 'signed_at']).where('seq', '>', 0);
  const head = await heads.orderBy('signed_at', 'desc').limit(1).executeTakeFirst();
  return head && { session: head.session, seq: head.seq, digest: head.digest, at: head.signed_at ?? '' };
}

async function digestAt(db: Database, session: string, seq: number): Promise<string | undefined> {
  const row = db.selectFrom('timeline').select('digest').where('session', '=', session).where('seq', '=', seq);
  return (await row.executeTakeFirst())?.digest;
}

function publish(dataDir: string, signer: Signer): void {
  const path = join(dataDir, PUBLIC_KEY_FILE);
  touchPrivate(path);
  if (readFileSync(path, 'utf8') !== signer.pem) writeFileSync(path, signer.pem);
}
