import { chmodSync, mkdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Child } from '@/server/testing/child';
import { clickEvent } from '@/server/testing/events';
import { quietLogger, tempDir, tempSession, tempStore } from '@/server/testing/temp-store';
import { openStore } from './store';

const CHILD = 'server/testing/store-child.ts';
const mayMount = spawnSync('unshare', ['-m', 'true']).status === 0;
const isRoot = process.getuid?.() === 0;

/** Runs the child with `dataDir` on a file system of its own. */
function mounted(dataDir: string, options: string, before: string): Child {
  const script = `mount -t tmpfs -o ${options} none '${dataDir}' && ${before} && exec "$@"`;
  return new Child(CHILD, [dataDir], ['unshare', '-m', 'sh', '-c', script, 'sh']);
}

describe('a data directory that cannot be used', () => {
  it('[F15] a file in the way is named', async () => {
    const dataDir = join(tempDir(), 'file');
    writeFileSync(dataDir, '');
    await expect(openStore({ dataDir, logger: quietLogger })).rejects.toMatchObject({
      code: 'STORE_BUSY',
      message: `The data directory "${dataDir}" cannot be used: there is a file of that name (EEXIST). Make it writable for this user, or set DATA_DIR to another directory.`,
    });
  });

  it('[F15] a file in the middle of the path is named', async () => {
    const file = join(tempDir(), 'file');
    writeFileSync(file, '');
    await expect(openStore({ dataDir: join(file, 'data'), logger: quietLogger })).rejects.toMatchObject({
      message: expect.stringContaining('a part of its path is a file (ENOTDIR)'),
    });
  });

  it.runIf(mayMount)('[F15] a read-only disk is refused plainly', async () => {
    const child = mounted(tempDir(), 'size=1m,mode=700,ro', 'true');
    await child.ended;
    expect(child.lines).toEqual([
      expect.stringMatching(
        /^refused The data directory .* cannot be used: it is on a read-only disk \(EROFS\)\. Make it writable/,
      ),
    ]);
  });

  it.runIf(mayMount)('[F15] a full disk is refused plainly', async () => {
    const dataDir = tempDir();
    const child = mounted(
      dataDir,
      'size=64k,mode=700',
      `(dd if=/dev/zero of='${dataDir}/wheelhouse.sqlite-fill' bs=4k count=16 2>/dev/null || true)`,
    );
    await child.ended;
    expect(child.lines).toEqual([
      expect.stringMatching(
        /^refused The data directory .* cannot be used: its disk is full \((?:ENOSPC|SQLITE_FULL)\)/,
      ),
    ]);
  });

  it.skipIf(isRoot)('[F15] refuses a directory of another user', async () => {
    const dataDir = tempDir();
    chmodSync(dataDir, 0o500);
    await expect(openStore({ dataDir, logger: quietLogger })).rejects.toMatchObject({
      message: expect.stringContaining('this user may not write there'),
    });
  });

  it('[OP1] a shared directory with other files is not used, and its mode is not changed', async () => {
    const dataDir = tempDir();
    chmodSync(dataDir, 0o755);
    writeFileSync(join(dataDir, 'letter.txt'), '');
    await expect(openStore({ dataDir, logger: quietLogger })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('a directory of its own'),
    });
    expect(statSync(dataDir).mode & 0o777).toBe(0o755);
  });

  it('[OP1] an empty directory that others can read is closed to them', async () => {
    const dataDir = join(tempDir(), 'made-by-a-volume');
    mkdirSync(dataDir, { mode: 0o755 });
    await tempStore({ dataDir });
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });
});

describe('the key of the timelines', () => {
  it('[T21] losing it is refused with the cure once something was signed', async () => {
    const dataDir = tempDir();
    const store = await openStore({ dataDir, logger: quietLogger });
    const { workspace, session } = await tempSession(store);
    await store.timeline.append(workspace, session, clickEvent('e1'));
    await store.close();
    rmSync(join(dataDir, 'timeline-signing.key'));
    await expect(openStore({ dataDir, logger: quietLogger })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('Put it back from a backup'),
    });
  });

  it('[T21] a truncated key counts as lost; before the first signature a new one is made', async () => {
    const dataDir = tempDir();
    await (await openStore({ dataDir, logger: quietLogger })).close();
    truncateSync(join(dataDir, 'timeline-signing.key'), 10);
    await expect(tempStore({ dataDir })).resolves.toBeDefined();
  });

  it('[OP1] a key that others can read is closed to them', async () => {
    const dataDir = tempDir();
    await (await openStore({ dataDir, logger: quietLogger })).close();
    chmodSync(join(dataDir, 'timeline-signing.key'), 0o644);
    await tempStore({ dataDir });
    expect(statSync(join(dataDir, 'timeline-signing.key')).mode & 0o777).toBe(0o600);
  });
});
