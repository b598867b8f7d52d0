import { closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { clickEvent } from '@/server/testing/events';
import { quietLogger, tempDir, tempSession, tempStore } from '@/server/testing/temp-store';
import { oldDataDir } from '@/server/testing/old-data';
import { backupsBeforeMigration } from './backup';
import { openStore } from './store';

const FILE = 'wheelhouse.sqlite';

describe('opening', () => {
  it('[OP2] migrations are repeatable: a second start changes no table', async () => {
    const dataDir = tempDir();
    const schema = (): unknown =>
      new Sqlite(join(dataDir, FILE), { readonly: true }).prepare('SELECT sql FROM sqlite_master ORDER BY name').all();
    await (await openStore({ dataDir, logger: quietLogger })).close();
    const before = schema();
    await (await openStore({ dataDir, logger: quietLogger })).close();
    expect(schema()).toEqual(before);
  });

  it('[OP2][SE1] sessions of a version with one context keep it; the default context of an attached Chrome still counts as none', async () => {
    const dataDir = tempDir();
    const first = await openStore({ dataDir, logger: quietLogger });
    const own = await tempSession(first);
    const theirs = await tempSession(first);
    await first.close();
    const database = new Sqlite(join(dataDir, FILE));
    database.exec(`ALTER TABLE sessions ADD COLUMN context_id TEXT; ALTER TABLE sessions DROP COLUMN contexts_json;
      DELETE FROM kysely_migration WHERE name >= '0013'`);
    database.prepare('UPDATE sessions SET context_id = ? WHERE id = ?').run('C-of-old', own.session);
    database.close();
    const { sessions } = await tempStore({ dataDir });
    const contexts = [own, theirs].map(
      async ({ workspace, session }) => (await sessions.get(workspace, session))?.contexts,
    );

    expect(await Promise.all(contexts)).toEqual([['C-of-old'], []]);
  });

  it('[OP2] a database of a newer version is refused and not changed', async () => {
    const dataDir = tempDir();
    await (await openStore({ dataDir, logger: quietLogger })).close();
    new Sqlite(join(dataDir, FILE))
      .prepare('INSERT INTO kysely_migration VALUES (?, ?)')
      .run('0999-later', '2030-01-01');
    await expect(openStore({ dataDir, logger: quietLogger })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('a newer version of Wheelhouse'),
    });
  });

  it('[F17] before the tables of a database change it is saved, and a version that is too old for them says where', async () => {
    const dataDir = oldDataDir('1f9baa86');
    await (await openStore({ dataDir, logger: quietLogger })).close();
    const [saved = '', ...more] = backupsBeforeMigration(dataDir);
    const old = new Sqlite(saved, { readonly: true });
    const migrations = old.prepare<[], { name: string }>('SELECT name FROM kysely_migration ORDER BY name').all();
    old.close();
    await (await openStore({ dataDir, logger: quietLogger })).close();
    new Sqlite(join(dataDir, FILE))
      .prepare('INSERT INTO kysely_migration VALUES (?, ?)')
      .run('0999-later', '2030-01-01');

    expect([more, backupsBeforeMigration(dataDir).length]).toEqual([[], 1]);
    expect(saved).toMatch(/before-0014-people-.*\.sqlite$/);
    expect(migrations.at(-1)?.name).toBe('0013-contexts');
    await expect(openStore({ dataDir, logger: quietLogger })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(`saved before the change: "${saved}"`),
    });
  });

  it('[TL1] writes are WAL with synchronous NORMAL and foreign keys', async () => {
    const dataDir = tempDir();
    const store = await tempStore({ dataDir });
    expect(new Sqlite(join(dataDir, FILE)).pragma('journal_mode', { simple: true })).toBe('wal');
    const receipt = { by: '', takenAt: '', returnedAt: '', url: '', tabs: [] };
    const stray = store.receipts.save({ workspace: 'w_none', session: 's_none' }, { participant: 'k_1', receipt });
    await expect(stray).rejects.toThrow(/FOREIGN KEY/);
  });

  it('[T6] every table carries a workspace, but the bookkeeping ones and those of a person', async () => {
    const dataDir = tempDir();
    await tempStore({ dataDir });
    const file = new Sqlite(join(dataDir, FILE));
    const tables = file
      .prepare<[], { name: string }>(
        `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'kysely_%'`,
      )
      .all();
    const without = tables.filter(
      ({ name }) =>
        !file
          .prepare<[], { name: string }>(`SELECT name FROM pragma_table_info('${name}')`)
          .all()
          .some((column) => column.name === 'workspace'),
    );
    expect(without.map(({ name }) => name).toSorted()).toEqual([
      ...['auth_account', 'auth_passkey', 'auth_two_factor', 'auth_user', 'known_browsers'],
      ...['meta', 'removed_addresses', 'used_codes', 'workspaces'],
    ]);
  });
});

describe('a damaged database', () => {
  it('[F17] a file that is no database is refused with the cure and kept byte for byte', async () => {
    const dataDir = tempDir();
    await (await openStore({ dataDir, logger: quietLogger })).close();
    const junk = Buffer.alloc(8_192, 'junk');
    writeFileSync(join(dataDir, FILE), junk);
    await expect(openStore({ dataDir, logger: quietLogger })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(
        /is damaged and was left as it is: SQLITE_NOTADB\. There is no backup; move it away/,
      ),
    });
    expect(readFileSync(join(dataDir, FILE)).equals(junk)).toBe(true);
  });

  it('[F17] broken pages are found before anything is written: 20 places', async () => {
    const dataDir = tempDir();
    const store = await openStore({ dataDir, logger: quietLogger });
    const { workspace, session } = await tempSession(store);
    const rows = Array.from({ length: 400 }, (_, number) => clickEvent(`e${number}`));
    await store.commit({ workspace, session }, { rows });
    await store.close();
    const path = join(dataDir, FILE);
    const sound = readFileSync(path);
    const pages = sound.length / 4_096;
    for (let round = 1; round <= 20; round += 1) {
      writeFileSync(path, sound);
      overwrite(path, Math.floor((round * (pages - 1)) / 20) * 4_096, 64);
      const opening = openStore({ dataDir, logger: quietLogger });
      await expect(opening, `page ${Math.floor((round * (pages - 1)) / 20) + 1} of ${pages}`).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining('is damaged'),
      });
    }
  });

  it('[F17] a file cut in half is refused', async () => {
    const dataDir = tempDir();
    await (await openStore({ dataDir, logger: quietLogger })).close();
    const path = join(dataDir, FILE);
    writeFileSync(path, readFileSync(path).subarray(0, Math.floor(statSync(path).size / 2 / 4_096) * 4_096));
    await expect(openStore({ dataDir, logger: quietLogger })).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

function overwrite(path: string, position: number, bytes: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(bytes, 0xa5), 0, bytes, position);
  closeSync(file);
}
