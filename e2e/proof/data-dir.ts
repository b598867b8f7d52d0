import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromesOf } from './processes';
import type { ServerProcess } from './server-process';

/**
 * Runs `work` in a data directory of its own. Afterwards kills every server that `work` has put into `servers`, with
 * its Chromes, and removes the directory.
 */
export async function inDataDir<T>(work: (dataDir: string, servers: ServerProcess[]) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'wheelhouse-proof-'));
  const servers: ServerProcess[] = [];
  try {
    return await work(dataDir, servers);
  } finally {
    for (const server of servers) await server.kill();
    for (const pid of chromesOf(dataDir)) process.kill(-pid, 'SIGKILL');
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}
