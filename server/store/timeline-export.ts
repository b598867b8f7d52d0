import { WheelhouseError } from '@/lib/errors/error';
import type { Database } from './connection';
import type { SignedHead, Signer } from './signer';

/** Rows that are read at once: a few milliseconds of the event loop. */
const PAGE = 500;

/**
 * A whole timeline in its present state, as JSON lines (TL2): each row as it is stored, with `proof` as its last field.
 * `proof.digest` is the SHA-256 of the previous digest and this row; the last row's proof also has the signed head, as
 * `end`. A row with a picture names the file by its SHA-256, which is signed by itself. `bin/wheelhouse-verify.mjs`
 * checks the export. Throws NOT_FOUND, STORE_BUSY.
 */
export async function* exportLines(
  db: Database,
  signer: Signer,
  workspace: string,
  session: string,
): AsyncGenerator<string, void> {
  const head = await headOf(db, signer, workspace, session);
  for (let last = 0; last < head.seq;) {
    const rows = db
      .selectFrom('timeline')
      .where('timeline.workspace', '=', workspace)
      .where('timeline.session', '=', session);
    const pictured = rows.leftJoin('pictures', (join) =>
      join.onRef('pictures.session', '=', 'timeline.session').onRef('pictures.seq', '=', 'timeline.seq'),
    );
    const wanted = pictured.select(['timeline.seq', 'payload', 'digest', 'pictures.at', 'sha256', 'signature']);
    const page = await wanted
      .where('timeline.seq', '>', last)
      .where('timeline.seq', '<=', head.seq)
      .orderBy('timeline.seq')
      .limit(PAGE)
      .execute();
    if (page.length === 0) return;
    last = page.at(-1)?.seq ?? head.seq;
    yield page.map((row) => `${row.payload.slice(0, -1)},"proof":${JSON.stringify(proofOf(row, head))}}\n`).join('');
  }
}

async function headOf(db: Database, signer: Signer, workspace: string, session: string): Promise<SignedHead> {
  const heads = db.selectFrom('timeline_heads').select(['seq', 'digest', 'signed_at', 'signature']);
  const head = await heads.where('workspace', '=', workspace).where('session', '=', session).executeTakeFirst();
  if (!head) throw new WheelhouseError('NOT_FOUND', `There is no session "${session}".`);
  const { seq, digest, signed_at, signature } = head;
  // A head that was never signed is exported without a signature; the verifying program reports it.
  return { session, seq, digest, at: signed_at ?? '', signature: signature ?? '', key: signer.publicKey.key };
}

interface Row {
  readonly seq: number;
  readonly digest: string;
  readonly at: string | null;
  readonly sha256: string | null;
  readonly signature: string | null;
}

function proofOf({ seq, digest, at, sha256, signature }: Row, end: SignedHead): object {
  return {
    digest,
    ...(sha256 === null ? {} : { picture: { sha256, at, signature } }),
    ...(seq === end.seq ? { end } : {}),
  };
}
