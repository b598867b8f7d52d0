import type { Connection } from './connection';
import type { SignedEnd } from './signed-ends';

/** Rows read at once: a few milliseconds of the loop that everybody shares. */
const PAGE = 500;

/**
 * A whole timeline as JSON lines (TL2): each row as it is stored, with `proof` as its last field. `proof.digest` is the
 * SHA-256 of the row before and this one; the last row's proof has the signed end too. A row with a picture names the
 * file by its SHA-256, signed for itself. `bin/wheelhouse-verify.mjs` checks it.
 */
export async function* exportLines(
  connection: Connection,
  workspace: string,
  end: SignedEnd,
): AsyncGenerator<string, void> {
  for (let last = 0; last < end.seq;) {
    const rows = connection.db
      .selectFrom('timeline')
      .where('timeline.workspace', '=', workspace)
      .where('timeline.session', '=', end.session);
    const pictured = rows.leftJoin('pictures', (join) =>
      join.onRef('pictures.session', '=', 'timeline.session').onRef('pictures.seq', '=', 'timeline.seq'),
    );
    const wanted = pictured.select(['timeline.seq', 'payload', 'digest', 'pictures.at', 'sha256', 'signature']);
    const page = await wanted
      .where('timeline.seq', '>', last)
      .where('timeline.seq', '<=', end.seq)
      .orderBy('timeline.seq')
      .limit(PAGE)
      .execute();
    if (page.length === 0) return;
    last = page.at(-1)?.seq ?? end.seq;
    yield page.map((row) => `${row.payload.slice(0, -1)},"proof":${JSON.stringify(proofOf(row, end))}}\n`).join('');
  }
}

interface Row {
  readonly seq: number;
  readonly digest: string;
  readonly at: string | null;
  readonly sha256: string | null;
  readonly signature: string | null;
}

function proofOf({ seq, digest, at, sha256, signature }: Row, end: SignedEnd): object {
  return {
    digest,
    ...(sha256 === null ? {} : { picture: { sha256, at, signature } }),
    ...(seq === end.seq ? { end } : {}),
  };
}
