import { GENESIS, type Chain } from './chain';
import type { Connection } from './connection';
import { digestBefore, digestOf } from './digest';
import { endText, type Signer } from './signer';

export type TimelineVerdict =
  | { readonly ok: true; readonly rows: number }
  /** `at`: the first position that does not hold. */
  | { readonly ok: false; readonly at: number; readonly problem: string };

/** What a timeline is checked with: the keyed chain, and the key that signs its end. */
export interface Checks {
  readonly chain: Chain;
  readonly signer: Signer | undefined;
}

interface Walked {
  readonly workspace: string;
  readonly session: string;
  readonly seq: number;
  readonly hash: string;
  readonly digest: string;
}

/** Rows that are read and checked in one go: a few milliseconds. */
const PAGE = 100;

/**
 * Walks the chains of one session (T21): finds an edited, removed, inserted or moved row and a cut tail. Not found: a
 * whole older copy of the database put back with its own older head.
 */
export function verifyTimeline(
  connection: Connection,
  checks: Checks,
  workspace: string,
  session: string,
): TimelineVerdict {
  const walk = walkTimeline(connection, checks, workspace, session);
  for (;;) {
    const { done, value } = walk.next();
    if (done === true) return value;
  }
}

/**
 * The same in pieces, between which others may write to it: yields after each page of rows. The last page and the end
 * are looked at in one go.
 */
export function* walkTimeline(
  connection: Connection,
  { chain, signer }: Checks,
  workspace: string,
  session: string,
): Generator<number, TimelineVerdict> {
  const { db } = connection;
  let [seq, hash, digest] = [0, GENESIS, digestBefore(session)];
  for (let full = true; full;) {
    const rows = connection.all(
      db
        .selectFrom('timeline')
        .selectAll()
        .where('session', '=', session)
        .where('seq', '>', seq)
        .orderBy('seq')
        .limit(PAGE),
    );
    full = rows.length === PAGE;
    for (const row of rows) {
      seq += 1;
      if (row.workspace !== workspace) return { ok: false, at: seq, problem: 'a row belongs to another workspace' };
      if (row.seq !== seq) return { ok: false, at: seq, problem: `row ${seq} is missing` };
      if (!chain.same(row.prev_hash, hash))
        return { ok: false, at: seq, problem: `row ${seq} does not follow the row before it` };
      if (!chain.same(chain.hash(row), row.hash)) return { ok: false, at: seq, problem: `row ${seq} was changed` };
      digest = digestOf(digest, row.payload);
      if (row.digest !== digest) return { ok: false, at: seq, problem: `the digest of row ${seq} was changed` };
      hash = row.hash;
    }
    if (full) yield rows.length;
  }
  return verifyHead(connection, { chain, signer }, { workspace, session, seq, hash, digest });
}

function verifyHead(connection: Connection, { chain, signer }: Checks, end: Walked): TimelineVerdict {
  const head = connection.one(
    connection.db.selectFrom('timeline_heads').selectAll().where('session', '=', end.session),
  );
  if (!head) return { ok: false, at: end.seq, problem: 'the head of the timeline is missing' };
  if (!chain.same(chain.seal(head), head.seal))
    return { ok: false, at: end.seq, problem: 'the head of the timeline was changed' };
  if (head.seq !== end.seq)
    return { ok: false, at: end.seq + 1, problem: `the timeline ends at row ${end.seq}, its head says ${head.seq}` };
  if (!chain.same(head.hash, end.hash))
    return { ok: false, at: end.seq, problem: 'the last row is not the one that was signed' };
  if (head.digest !== end.digest) return { ok: false, at: end.seq, problem: 'the digest of the head was changed' };
  if (head.signature === null) return { ok: true, rows: end.seq };
  const said = {
    session: end.session,
    seq: head.signed_seq,
    digest: digestAt(connection, end.session, head.signed_seq),
    at: head.signed_at ?? '',
  };
  if (signer && !signer.verifies(endText(said), head.signature))
    return { ok: false, at: head.signed_seq, problem: 'the signature of the end is not of this timeline' };
  return { ok: true, rows: end.seq };
}

/** As its row says, which has been found to be true. */
function digestAt(connection: Connection, session: string, seq: number): string {
  if (seq === 0) return digestBefore(session);
  return (
    connection.one(
      connection.db.selectFrom('timeline').select('digest').where('session', '=', session).where('seq', '=', seq),
    )?.digest ?? ''
  );
}
