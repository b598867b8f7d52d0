import type { Connection } from './connection';
import type { SignedEnd } from './signed-ends';

/** Rows read at once: a few milliseconds of the loop that everybody shares. */
const PAGE = 500;

/**
 * A whole timeline as JSON lines (TL2): each row as it is stored, with `proof` as its last field. `proof.digest` is the SHA-256 of the row before
 * and this one; the last row's proof has the signed end too. `bin/wheelhouse-verify.mjs` checks it.
 */
export async function* exportLines(connection: Connection, workspace: string, end: SignedEnd): AsyncGenerator<string, void> {
  for (let last = 0; last < end.seq; ) {
    const rows = connection.db.selectFrom('timeline').select(['seq', 'payload', 'digest']).where('workspace', '=', workspace).where('session', '=', end.session);
    const page = await rows.where('seq', '>', last).where('seq', '<=', end.seq).orderBy('seq').limit(PAGE).execute();
    if (page.length === 0) return;
    last = page.at(-1)?.seq ?? end.seq;
    yield page.map(({ seq, payload, digest }) => `${payload.slice(0, -1)},"proof":${JSON.stringify(seq === end.seq ? { digest, end } : { digest })}}\n`).join('');
  }
}
