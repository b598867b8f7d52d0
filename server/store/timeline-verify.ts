import { GENESIS, type Chain } from './chain';
import type { Connection } from './connection';

export type TimelineVerdict =
  | { readonly ok: true; readonly rows: number }
  /** `at`: the first position that does not hold. */
  | { readonly ok: false; readonly at: number; readonly problem: string };

/**
 * Walks the chain of one session (T21): finds an edited, removed, inserted or moved row and a cut tail. Not found: a whole older copy of
 * the database put back with its own older head.
 */
export function verifyTimeline(connection: Connection, chain: Chain, workspace: string, session: string): TimelineVerdict {
  const { db } = connection;
  const rows = db.selectFrom('timeline').selectAll().where('session', '=', session).orderBy('seq');
  let seq = 0;
  let hash = GENESIS;
  for (const row of connection.each(rows)) {
    seq += 1;
    if (row.workspace !== workspace) return { ok: false, at: seq, problem: 'a row belongs to another workspace' };
    if (row.seq !== seq) return { ok: false, at: seq, problem: `row ${seq} is missing` };
    if (!chain.same(row.prev_hash, hash)) return { ok: false, at: seq, problem: `row ${seq} does not follow the row before it` };
    if (!chain.same(chain.hash(row), row.hash)) return { ok: false, at: seq, problem: `row ${seq} was changed` };
    hash = row.hash;
  }
  return verifyHead(connection, chain, { workspace, session, seq, hash });
}

function verifyHead(connection: Connection, chain: Chain, end: { workspace: string; session: string; seq: number; hash: string }): TimelineVerdict {
  const head = connection.one(connection.db.selectFrom('timeline_heads').selectAll().where('session', '=', end.session));
  if (!head) return { ok: false, at: end.seq, problem: 'the head of the timeline is missing' };
  if (!chain.same(chain.seal(head), head.seal)) return { ok: false, at: end.seq, problem: 'the head of the timeline was changed' };
  if (head.seq !== end.seq) return { ok: false, at: end.seq + 1, problem: `the timeline ends at row ${end.seq}, its head says ${head.seq}` };
  if (!chain.same(head.hash, end.hash)) return { ok: false, at: end.seq, problem: 'the last row is not the one that was signed' };
  return { ok: true, rows: end.seq };
}
