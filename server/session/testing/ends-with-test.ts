import { rmSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import type { TestServer } from '@/server/testing/server';
import { chromesOf, lives, type ChromeProcess } from './chromes';

/**
 * Returns the server; when the test ends, also after a failure, closes it, kills the Chromes it left running and
 * removes its data. Call it where the server starts.
 */
export function endsWithTest(server: TestServer): TestServer {
  let closed = false;
  let left: ChromeProcess[] = [];
  onTestFinished(async () => {
    if (!closed) await server.close();
    for (const { pid } of left.filter(lives)) process.kill(-pid, 'SIGKILL');
    rmSync(server.dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  const close: TestServer['close'] = async (options) => {
    if (options?.keepChrome === true) left = await chromesOf(server);
    closed = true;
    await server.close(options);
  };
  return { ...server, close };
}
