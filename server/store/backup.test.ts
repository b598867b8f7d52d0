import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clickEvent } from '@/server/testing/events';
import { quietLogger, tempDir, tempSession, tempStore } from '@/server/testing/temp-store';
import { backups, restoreLatestBackup } from './backup';
import { openStore } from './store';

const at = (hour: number): Date => new Date(Date.UTC(2026, 0, 1, hour));

describe('backups', () => {
  it('[F17] a damaged database is moved aside and replaced by the newest sound copy, and the timeline still verifies', async () => {
    const dataDir = tempDir();
    const store = await openStore({ dataDir, logger: quietLogger });
    const { workspace, session } = await tempSession(store);
    await store.timeline.append(workspace, session, clickEvent('e1'));
    const sound = await store.backup(at(1));
    writeFileSync(await store.backup(at(2)), 'a copy that went bad');
    await store.timeline.append(workspace, session, clickEvent('e2'));
    await store.close();
    writeFileSync(join(dataDir, 'wheelhouse.sqlite'), 'junk');
    await expect(openStore({ dataDir, logger: quietLogger })).rejects.toMatchObject({
      message: expect.stringContaining(`Put its last backup in its place: "${backups(dataDir)[0]}"`),
    });
    const restored = await restoreLatestBackup(dataDir, at(3));
    expect(restored.from).toBe(sound);
    expect(readFileSync(join(restored.damaged, 'wheelhouse.sqlite'), 'utf8')).toBe('junk');
    const again = await tempStore({ dataDir });
    expect(await again.verifyTimeline(workspace, session)).toEqual({ ok: true, rows: 1 });
  });

  it('[F17] only the newest 24 copies are kept, readable by the owner alone', async () => {
    const dataDir = tempDir();
    const store = await tempStore({ dataDir });
    for (let hour = 0; hour < 26; hour += 1) await store.backup(at(hour));
    const names = readdirSync(join(dataDir, 'backups')).toSorted();
    expect([names.length, names[0], names.at(-1)]).toEqual([
      24,
      'wheelhouse-2026-01-01T02-00-00.000Z.sqlite',
      'wheelhouse-2026-01-02T01-00-00.000Z.sqlite',
    ]);
    expect(statSync(backups(dataDir)[0] ?? '').mode & 0o777).toBe(0o600);
  });

  it('[F17] moves nothing while a server runs, or without a sound copy', async () => {
    const dataDir = tempDir();
    const store = await openStore({ dataDir, logger: quietLogger });
    await expect(restoreLatestBackup(dataDir, at(1))).rejects.toThrow(expect.objectContaining({ code: 'CONFLICT' }));
    await store.close();
    await expect(restoreLatestBackup(dataDir, at(1))).rejects.toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
    expect(existsSync(join(dataDir, 'wheelhouse.sqlite'))).toBe(true);
  });
});
