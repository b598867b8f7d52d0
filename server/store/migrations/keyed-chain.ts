import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { digestBefore, digestOf } from '../chain';
import { codeOf } from '../failures';
import type { TimelineLoss } from '../head-file';

/*
 * The second chain that timelines had before 0012-one-chain, with a key (HMAC), and the file that counted all rows. They
 * are verified one last time when an older data directory is migrated.
 */

const KEY_FILE = 'timeline.key';
const MARK_FILE = 'timeline.mark';
/** The hash before the first row. */
const GENESIS = '0'.repeat(64);
const PAGE = 500;

/** The tables before the migration. */
export type Keyed = {
  timeline: {
    workspace: string;
    session: string;
    seq: number;
    event_id: string;
    phase: string;
    kind: string;
    actor: string;
    payload: string;
    prev_hash: string;
    hash: string;
    digest: string;
  };
  timeline_heads: {
    workspace: string;
    session: string;
    seq: number;
    hash: string;
    seal: string;
    digest: string;
    signed_seq: number;
    signed_at: string | null;
    signature: string | null;
  };
};

type Mac = (parts: readonly (string | number)[]) => string;

/** The key of the chain; undefined when it is missing or damaged. */
export function chainKey(dataDir: string): Buffer | undefined {
  try {
    const key = Buffer.from(readFileSync(join(dataDir, KEY_FILE), 'utf8').trim(), 'hex');
    return key.length === 32 ? key : undefined;
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}

/** Whether both chains and the sealed head of a timeline are intact, so that its end may be signed. */
export async function keyedChainHolds(db: Kysely<Keyed>, key: Buffer, session: string): Promise<boolean> {
  const mac = macOf(key);
  let [seq, hash, digest] = [0, GENESIS, digestBefore(session)];
  for (let full = true; full;) {
    const page = db.selectFrom('timeline').selectAll().where('session', '=', session).where('seq', '>', seq);
    const rows = await page.orderBy('seq').limit(PAGE).execute();
    full = rows.length === PAGE;
    for (const row of rows) {
      seq += 1;
      digest = digestOf(digest, row.payload);
      const { workspace, event_id, phase, kind, actor, payload, prev_hash } = row;
      const linked = mac(['link', workspace, session, row.seq, event_id, phase, kind, actor, payload, prev_hash]);
      if (row.seq !== seq || prev_hash !== hash || !same(linked, row.hash) || row.digest !== digest) return false;
      hash = row.hash;
    }
  }
  const head = await db.selectFrom('timeline_heads').selectAll().where('session', '=', session).executeTakeFirst();
  if (!head || head.seq !== seq || head.hash !== hash || head.digest !== digest) return false;
  return same(mac(['head', head.workspace, session, seq, hash]), head.seal);
}

/**
 * The loss that the file with the row count shows; undefined when there is no such file. Removes the file, which the
 * head file replaces.
 */
export function lastCount(dataDir: string, rows: number): { readonly loss: TimelineLoss | undefined } | undefined {
  const path = join(dataDir, MARK_FILE);
  const key = chainKey(dataDir);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
  const [count = '', mac = ''] = text.trim().split(' ');
  const isOurs = key !== undefined && same(macOf(key)(['count', Number(count)]), mac);
  const missing = Number(count) - rows;
  rmSync(path);
  if (!isOurs) return { loss: { said: { code: 'headChanged' }, rows: undefined } };
  if (missing <= 0) return { loss: undefined };
  return { loss: { said: { code: 'rowsMissing', times: missing }, rows: missing } };
}

/** JSON of an array is unambiguous: no two different links give the same text. */
function macOf(key: Buffer): Mac {
  return (parts) => createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');
}

/** Constant-time comparison of two hashes in hex. */
function same(a: string, b: string): boolean {
  const left = Buffer.from(a, 'hex');
  const right = Buffer.from(b, 'hex');
  return left.length === 32 && right.length === 32 && timingSafeEqual(left, right);
}
