import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromesOf } from './processes';
import type { ServerProcess } from './server-process';

/**
 * Works in a data directory of its own. Afterwards every server that `work` has put into `servers` is killed, its
 * Chromes with it, and the directory is gone.
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
