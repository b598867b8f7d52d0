import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { claimChrome, startOrphanReaper } from './orphan-reaper';

const QUICK = { abandoned: 2, lookEvery: 1 };
const MARKER_MS = 4_000;

describe('a Chrome without its server', () => {
  it('[F11] is ended when nobody claims it, and stays while its owner lives', async () => {
    const [left, kept] = [
      mkdtempSync(path.join(tmpdir(), 'wheelhouse-keeper-')),
      mkdtempSync(path.join(tmpdir(), 'wheelhouse-keeper-')),
    ];
    const chromes = [spawn('sleep', ['60'], { detached: true }), spawn('sleep', ['60'], { detached: true })] as const;
    const owner = spawn('true');
    await new Promise((resolve) => owner.once('exit', resolve));
    claimChrome(left, owner.pid ?? 0);
    claimChrome(kept, process.pid);
    startOrphanReaper(chromes[0].pid ?? 0, left, QUICK);
    startOrphanReaper(chromes[1].pid ?? 0, kept, QUICK);
    const ended = new Promise<string>((resolve) => chromes[0].once('exit', (_, signal) => resolve(String(signal))));
    const signal = await ended;
    await new Promise((resolve) => setTimeout(resolve, MARKER_MS));
    const stillThere = chromes[1].exitCode === null && chromes[1].signalCode === null;
    process.kill(-(chromes[1].pid ?? 0), 'SIGKILL');
    for (const folder of [left, kept]) rmSync(folder, { recursive: true, force: true });

    expect([signal, stillThere]).toEqual(['SIGTERM', true]);
  });

  it.runIf(process.platform === 'linux')(
    '[AC6] a renderer that the server had paused runs again when the server was killed',
    async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'wheelhouse-keeper-'));
      // Two processes of one group, of which the second writes when it goes on.
      const chrome = spawn('/bin/sh', ['-c', '(while :; do echo on; sleep 0.2; done) & echo $!; wait'], {
        detached: true,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const lines = createInterface({ input: chrome.stdout });
      const renderer = Number(String((await once(lines, 'line'))[0]));
      process.kill(renderer, 'SIGSTOP');
      const owner = spawn('true');
      await once(owner, 'exit');
      claimChrome(folder, owner.pid ?? 0);
      const goesOn = new Promise<boolean>((resolve) => {
        const marker = setTimeout(() => resolve(false), MARKER_MS * 3);
        lines.once('line', () => {
          clearTimeout(marker);
          resolve(true);
        });
      });
      startOrphanReaper(chrome.pid ?? 0, folder, { abandoned: 60, lookEvery: 1 });
      const went = await goesOn;
      process.kill(-(chrome.pid ?? 0), 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });

      expect(went).toBe(true);
    },
  );
});
