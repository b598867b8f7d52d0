/** Reads all timelines and logs of a data directory whose server is stopped, as the lines of their exports. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';

/**
 * @param {string} dataDir
 * @yields {{name: string, lines: string[]}} of each session's timeline and each workspace's log, named by its id
 */
export function* chainsOf(dataDir) {
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
      yield { name: session, lines: linesOf({ session }, rows.all(session), heads.get(session), key) };
    }
    yield* logsOf(database, key);
  } finally {
    database.close();
  }
}

/** Data directories of older versions have no logs. */
function* logsOf(database, key) {
  if (!database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'workspace_log'`).get()) return;
  const rows = database.prepare('SELECT seq, payload, digest FROM workspace_log WHERE workspace = ? ORDER BY seq');
  const heads = database.prepare('SELECT * FROM workspace_log_heads WHERE workspace = ?');
  for (const { workspace } of database
    .prepare('SELECT workspace FROM workspace_log UNION SELECT workspace FROM workspace_log_heads ORDER BY workspace')
    .all())
    yield { name: workspace, lines: linesOf({ workspace }, rows.all(workspace), heads.get(workspace), key) };
}

/** @param {object} whose `{session}` or `{workspace}` */
function linesOf(whose, rows, head, key) {
  const signed = head?.signed_seq ?? head?.seq ?? 0;
  const last = Math.min(signed, rows.length);
  return rows.map(({ payload, digest }, index) => {
    const proof =
      head?.signature && index + 1 === last
        ? { digest, end: { ...whose, seq: signed, digest, at: head.signed_at, signature: head.signature, key } }
        : { digest };
    return `${payload.slice(0, -1)},"proof":${JSON.stringify(proof)}}`;
  });
}
