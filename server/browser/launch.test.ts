import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { withBudget } from '@/lib/budget/budget';
import { monotonicClock } from '@/lib/budget/clock';
import { detectChrome } from './find-chrome';
import { freePort } from './free-port';
import { launchChrome, removeProfile } from './launch';
import { endProcess } from './process-id';

describe.runIf(process.platform === 'linux')('a Chrome that we start', () => {
  it('[AC6] keeps its own guard against pages that flood it with messages', async () => {
    const userDataDir = mkdtempSync(path.join(tmpdir(), 'wheelhouse-launch-'));
    const { chosen } = await detectChrome({
      configured: process.env['WHEELHOUSE_TEST_CHROME'],
      platform: process.platform,
      searchPath: process.env['PATH'] ?? '',
    });
    const options = {
      chromePath: chosen?.path ?? '',
      userDataDir,
      headless: true,
      noSandbox: process.getuid?.() === 0,
      extraArgs: [],
      port: await freePort(),
      floorPort: 1,
      environment: {},
    };
    const { pid } = await withBudget({ timeoutMs: 20_000, clock: monotonicClock }, (budget) =>
      launchChrome(budget, options),
    );
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    endProcess(pid);
    await removeProfile(userDataDir);

    expect(args).toContain('--disable-popup-blocking');
    expect(args).not.toContain('ipc-flooding');
  });
});
