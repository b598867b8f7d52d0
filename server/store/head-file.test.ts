import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clickEvent } from '@/server/testing/events';
import { quietLogger, tempDir, tempSession, tempStore } from '@/server/testing/temp-store';
import { openStore, type Store } from './store';

const HEAD = 'timeline.head';

/** A data directory with five rows on the timeline, closed. `half` sees the store after two of them. */
async function fiveRows(half?: (store: Store, dataDir: string) => void): Promise<string> {
  const dataDir = tempDir();
  const store = await openStore({ dataDir, logger: quietLogger });
  const { workspace, session } = await tempSession(store);
  for (let number = 1; number <= 5; number += 1) {
    await store.timeline.append(workspace, session, clickEvent(`e${number}`));
    if (number === 2) half?.(store, dataDir);
  }
  await store.close();
  return dataDir;
}

async function lossOf(dataDir: string): Promise<unknown> {
  const store = await openStore({ dataDir, logger: quietLogger });
  await store.close();
  return store.loss;
}

describe('the head of the timelines, beside the database', () => {
  it('[T21] no false alarm over starts, undone transactions and rows of several sessions', async () => {
    const dataDir = await fiveRows();
    for (let start = 0; start < 3; start += 1) {
      const store = await openStore({ dataDir, logger: quietLogger });
      expect(store.loss).toBeUndefined();
      const { workspace, session } = await tempSession(store);
      const undone = store.timeline.transaction(async (_tx, append) => {
        await append(workspace, session, clickEvent('undone'));
        throw new Error('undo');
      });
      await expect(undone).rejects.toThrow('undo');
      await store.commit({ workspace, session }, { rows: [clickEvent('e1'), clickEvent('e2')] });
      await store.close();
    }
    expect(await lossOf(dataDir)).toBeUndefined();
  });

  it('[F17] a log that SQLite drops without a word is noticed, once', async () => {
    const whole = tempDir();
    const dataDir = await fiveRows((_store, live) => {
      for (const file of ['wheelhouse.sqlite', 'wheelhouse.sqlite-wal']) cpSync(join(live, file), join(whole, file));
    });
    for (const file of ['wheelhouse.sqlite', 'wheelhouse.sqlite-wal']) cpSync(join(whole, file), join(dataDir, file));
    expect(await lossOf(dataDir)).toEqual({ rows: 3, said: { code: 'rowsMissing', times: 3 } });
    expect(await lossOf(dataDir)).toBeUndefined();
  });

  it('[T21] a changed or missing head is reported', async () => {
    const dataDir = await fiveRows();
    const text = readFileSync(join(dataDir, HEAD), 'utf8');
    writeFileSync(join(dataDir, HEAD), text.replace('"rows":5', '"rows":2'));
    expect(await lossOf(dataDir)).toMatchObject({ rows: undefined, said: { code: 'headChanged' } });
    rmSync(join(dataDir, HEAD));
    expect(await lossOf(dataDir)).toMatchObject({ rows: undefined, said: { code: 'headMissing' } });
  });

  it('[TL1] killed between commit and head is no loss', async () => {
    let behind = '';
    const dataDir = await fiveRows((_store, live) => {
      behind = readFileSync(join(live, HEAD), 'utf8');
    });
    writeFileSync(join(dataDir, HEAD), behind);
    expect(await lossOf(dataDir)).toBeUndefined();
  });

  it('[F17] in a fresh directory no head is missing', async () => {
    expect((await tempStore()).loss).toBeUndefined();
  });
});
