import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { monotonicClock } from '@/lib/budget/clock';
import { quietLogger, tempDir } from '@/server/testing/temp-store';
import { Profiles } from './profiles';

function folder(dataDir: string, id: string, pid?: number): string {
  const made = path.join(dataDir, 'chrome', id);
  mkdirSync(made, { recursive: true });
  if (pid !== undefined) writeFileSync(path.join(made, 'chrome.pid'), String(pid));
  return made;
}

it.runIf(process.platform !== 'win32')(
  '[F11] the profile that an earlier server left is removed: at once if no Chrome runs on it, else when that has ended; folders with other names stay',
  async () => {
    const dataDir = tempDir();
    const busy = path.join(dataDir, 'chrome', 'b_11111111');
    // Stands for a Chrome whose server was killed before it could write it down: what counts is that it says which
    // profile it has.
    const chrome = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', '--', `--user-data-dir=${busy}`], {
      detached: true,
      stdio: 'ignore',
    });
    folder(dataDir, 'b_11111111', chrome.pid);
    // Its number belongs to another process now.
    const [stale, never, ours] = [
      folder(dataDir, 'b_22222222', process.pid),
      folder(dataDir, 'b_33333333'),
      folder(dataDir, 'b_44444444'),
    ];
    for (const other of ['backup', 'b_short', 'b_555555555', 'old-b_66666666']) folder(dataDir, other);
    const profiles = new Profiles(dataDir, monotonicClock, quietLogger, 50);
    const listed = await profiles.list();
    await profiles.sweep(listed.filter((id) => id !== 'b_44444444'));
    const swept = [busy, stale, never, ours].map((one) => existsSync(one));
    const gone = new Promise((resolve) => chrome.once('exit', resolve));
    process.kill(-Number(chrome.pid), 'SIGKILL');
    await gone;
    await expect.poll(() => existsSync(busy), { timeout: 20_000 }).toBe(false);
    profiles.dispose();

    expect(listed.toSorted()).toEqual(['b_11111111', 'b_22222222', 'b_33333333', 'b_44444444']);
    expect(swept).toEqual([true, false, false, true]);
    expect(existsSync(ours)).toBe(true);
  },
  30_000,
);
