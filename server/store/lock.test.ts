import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Child } from '@/server/testing/child';
import { quietLogger, tempDir, tempStore } from '@/server/testing/temp-store';
import { sized } from '@/server/testing/sized';
import { openStore } from './store';

const CHILD = 'server/testing/store-child.ts';

async function holder(dataDir: string): Promise<Child> {
  const child = new Child(CHILD, [dataDir]);
  expect(await child.line((line) => line === 'open')).toBe('open');
  return child;
}

describe('the lock of the data directory', () => {
  it('[F31] a second server exits at once naming the pid of a live holder', async () => {
    const dataDir = tempDir();
    const first = await holder(dataDir);
    const second = new Child(CHILD, [dataDir]);
    await second.ended;
    expect(second.process.exitCode).toBe(1);
    expect(second.lines).toEqual([
      expect.stringMatching(
        new RegExp(
          `^refused Another Wheelhouse server uses .*\\(process ${first.process.pid} on .*Stop that server first, or set DATA_DIR`,
        ),
      ),
    ]);
  });

  it('[F31] a stopped holder keeps the lock, is named as paused, and still has it when it wakes', async () => {
    const dataDir = tempDir();
    const first = await holder(dataDir);
    first.process.kill('SIGSTOP');
    await expect
      .poll(() => readFileSync(`/proc/${first.process.pid}/stat`, 'utf8').split(') ').at(-1)?.[0], { timeout: 10_000 })
      .toBe('T');
    const opening = openStore({ dataDir, logger: quietLogger });
    await expect(opening).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(`continue it (kill -CONT ${first.process.pid})`),
    });
    first.process.kill('SIGCONT');
    await expect(openStore({ dataDir, logger: quietLogger })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { pid: first.process.pid },
    });
  });

  it('[F31] a dead holder is taken over, each time, without waiting', async () => {
    const dataDir = tempDir();
    const first = await holder(dataDir);
    await first.kill();
    for (let round = 0; round < sized(5, 20); round += 1) {
      const store = await openStore({ dataDir, logger: quietLogger });
      expect(await store.trouble()).toBeUndefined();
      await store.close();
    }
  });

  it('[F31] a holder that closes admits the next, and closing twice is harmless', async () => {
    const dataDir = tempDir();
    const store = await openStore({ dataDir, logger: quietLogger });
    await store.close();
    await store.close();
    await expect(tempStore({ dataDir })).resolves.toBeDefined();
  });

  it('[F31] a failed start leaves no lock behind', async () => {
    const dataDir = tempDir();
    const store = await openStore({ dataDir, logger: quietLogger });
    await expect(openStore({ dataDir, logger: quietLogger })).rejects.toMatchObject({ code: 'CONFLICT' });
    await store.close();
    await expect(tempStore({ dataDir })).resolves.toBeDefined();
  });

  it('[OP1] only the owner can read the files of the data directory', async () => {
    const dataDir = join(tempDir(), 'new');
    await tempStore({ dataDir });
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    const files = [
      'wheelhouse.sqlite',
      'wheelhouse.sqlite-wal',
      'timeline-signing.key',
      'timeline.head',
      'holder.json',
      'lock.sqlite',
    ];
    expect(
      files.map((file) => [
        file,
        existsSync(join(dataDir, file)) && (statSync(join(dataDir, file)).mode & 0o777).toString(8),
      ]),
    ).toEqual(files.map((file) => [file, '600']));
  });

  it('[OP1] the CLI may visit the database beside the running server', async () => {
    const dataDir = tempDir();
    const server = await tempStore({ dataDir });
    const owner = await server.people.ensureOwner({ workspace: 'Home', owner: 'Owner' }, new Date());
    const guest = await tempStore({ dataDir, as: 'guest' });
    expect(await guest.people.ensureOwner({ workspace: 'x', owner: 'x' }, new Date())).toEqual(owner);
  });

  it('[OP1] a program that opens a directory without data beside the server gets an error that says so', async () => {
    await expect(tempStore({ as: 'guest' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('Start the server once'),
    });
  });
});
