/** Reads all timelines of a data directory whose server is stopped, as the lines of their exports. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';

/**
 * @param {string} dataDir
 * @yields {{session: string, lines: string[]}}
 */
export function* timelinesOf(dataDir) {
  const file = join(dataDir, 'wheelhouse.sqlite');
  if (!existsSync(file)) throw new Error(`There is no Wheelhouse data in "${dataDir}".`);
  const database = new Sqlite(file, { readonly: true });
  const key = readFileSync(join(dataDir, 'timeline-signing.pub'), 'utf8').replaceAll(/-----[A-Z ]+-----|\s/g, '');
  try {
    const rows = database.prepare('SELECT seq, payload, digest FROM timeline WHERE session = ? ORDER BY seq');
    // In data directories of older versions `signed_seq` is the last signed row; today the newest row is always signed.
    const heads = database.prepare('SELECT * FROM timeline_heads WHERE session = ?');
    for (const { session } of database
      .prepare('SELECT session FROM timeline UNION SELECT session FROM timeline_heads ORDER BY session')
      .all()) {
      yield { session, lines: linesOf(session, rows.all(session), heads.get(session), key) };
    }
  } finally {
    database.close();
  }
}

function linesOf(session, rows, head, key) {
  const signed = head?.signed_seq ?? head?.seq ?? 0;
  const last = Math.min(signed, rows.length);
  return rows.map(({ payload, digest }, index) => {
    const proof =
      head?.signature && index + 1 === last
        ? { digest, end: { session, seq: signed, digest, at: head.signed_at, signature: head.signature, key } }
        : { digest };
    return `${payload.slice(0, -1)},"proof":${JSON.stringify(proof)}}`;
  });
}
