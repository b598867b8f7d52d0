import { rmSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import type { TestServer } from '@/server/testing/server';
import { chromesOf, lives, type ChromeProcess } from './chromes';

/**
 * The same server, which a failed try does not leave to the next: it, the Chromes it was to leave running and its data
 * end with the test. Call it where the server starts.
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
