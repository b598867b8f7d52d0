import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { Renderer } from './renderer';

/**
 * A group whose leader stands for Chrome; it says the pids of two children: one that calls itself a renderer, one that
 * does not.
 */
const GROUP = `exec -a chrome sleep 60 & other=$!; bash -c 'exec -a "chrome --type=renderer" sleep 60' & echo $! $other; wait`;

describe.runIf(process.platform === 'linux')('Renderer', () => {
  it('[AC6] is found in the group of its own Chrome only, and is not signalled once its process has ended', async () => {
    const [chrome, elsewhere] = [
      spawn('bash', ['-c', GROUP], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] }),
      spawn('sleep', ['60'], { detached: true }),
    ] as const;
    const [line]: unknown[] = await once(chrome.stdout, 'data');
    const [renderer = 0, other = 0] = String(line).trim().split(' ').map(Number);
    const [leader, stranger] = [chrome.pid ?? 0, elsewhere.pid ?? 0];
    let found: Renderer | undefined;
    // The child sets its name a moment after its pid is known.
    while (!found) {
      found = Renderer.find(renderer, leader);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const refused = [
      Renderer.find(other, leader),
      Renderer.find(leader, leader),
      Renderer.find(renderer, stranger),
      Renderer.find(stranger, stranger),
      Renderer.find(process.pid, leader),
    ];
    const signalled = [found.signal('SIGSTOP'), found.signal('SIGCONT')];
    process.kill(renderer, 'SIGKILL');
    while (found.there) await new Promise((resolve) => setImmediate(resolve));
    const afterwards = found.signal('SIGSTOP');
    process.kill(-leader, 'SIGKILL');
    process.kill(-stranger, 'SIGKILL');

    expect(refused).toEqual([undefined, undefined, undefined, undefined, undefined]);
    expect([...signalled, afterwards]).toEqual([true, true, false]);
  });
});
