import { z } from 'zod';
import type { Selectable } from 'kysely';
import { digestBefore, digestOf } from './chain';
import type { Database } from './connection';
import { headText, type Signer } from './signer';
import type { Tables } from './tables';

export type TimelineVerdict =
  | { readonly ok: true; readonly rows: number }
  /** `at`: the first position that fails. */
  | { readonly ok: false; readonly at: number; readonly problem: string };

type Row = Selectable<Tables['timeline']>;
type StoredHead = Selectable<Tables['timeline_heads']>;

/** Rows that are read and verified at once: a few milliseconds. */
const PAGE = 100;

/** The fields of a payload that have columns of their own. */
const columnsSchema = z.object({
  id: z.string(),
  seq: z.int(),
  phase: z.string(),
  kind: z.string(),
  actor: z.object({ id: z.string() }),
});

/**
 * Verifies the chain of one session: finds an edited, removed, inserted or moved row and a removed end. Does not find
 * older rows restored together with the head that was signed for them; the head file shows those.
 *
 * @param turn called between pages of rows, so that other work can run
 */
export async function verifyTimeline(
  db: Database,
  signer: Signer,
  place: { readonly workspace: string; readonly session: string },
  turn: () => Promise<void> = () => Promise.resolve(),
): Promise<TimelineVerdict> {
  const { workspace, session } = place;
  let [seq, digest] = [0, digestBefore(session)];
  for (;;) {
    const { rows, head } = await pageAfter(db, session, seq);
    for (const row of rows) {
      seq += 1;
      if (row.workspace !== workspace) return { ok: false, at: seq, problem: 'a row belongs to another workspace' };
      if (row.seq !== seq) return { ok: false, at: seq, problem: `row ${seq} is missing` };
      digest = digestOf(digest, row.payload);
      if (row.digest !== digest || !saysWhatItHolds(row))
        return { ok: false, at: seq, problem: `row ${seq} was changed` };
    }
    if (rows.length < PAGE) return verifyHead(signer, head, { session, seq, digest });
    await turn();
  }
}

/** Reads a page of rows; the last page comes with the head, both from the same moment. */
function pageAfter(db: Database, session: string, seq: number): Promise<{ rows: Row[]; head: StoredHead | undefined }> {
  return db
    .transaction()
    .setAccessMode('read only')
    .execute(async (tx) => {
      const page = tx.selectFrom('timeline').selectAll().where('session', '=', session).where('seq', '>', seq);
      const rows = await page.orderBy('seq').limit(PAGE).execute();
      const head = tx.selectFrom('timeline_heads').selectAll().where('session', '=', session);
      return { rows, head: await head.executeTakeFirst() };
    });
}

/** Whether the columns of a row match its payload: searches use the columns, while the chain covers the payload. */
function saysWhatItHolds({ payload, event_id, seq, phase, kind, actor }: Row): boolean {
  const { data } = columnsSchema.safeParse(parsed(payload));
  return (
    data !== undefined &&
    data.id === event_id &&
    data.seq === seq &&
    data.phase === phase &&
    data.kind === kind &&
    data.actor.id === actor
  );
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}

function verifyHead(
  signer: Signer,
  head: StoredHead | undefined,
  end: { readonly session: string; readonly seq: number; readonly digest: string },
): TimelineVerdict {
  if (!head) return { ok: false, at: end.seq, problem: 'the head of the timeline is missing' };
  const text = headText({ session: end.session, seq: head.seq, digest: head.digest, at: head.signed_at ?? '' });
  if (!signer.verifies(text, head.signature ?? ''))
    return { ok: false, at: end.seq, problem: 'the signature of the head is not of this timeline' };
  if (head.seq !== end.seq)
    return {
      ok: false,
      at: end.seq + 1,
      problem: `the timeline ends at row ${end.seq}, its head says ${head.seq}`,
    };
  if (head.digest !== end.digest)
    return { ok: false, at: end.seq, problem: 'the last row is not the one that was signed' };
  return { ok: true, rows: end.seq };
}
