import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createLogger } from '@/server/telemetry/logger';
import { newId } from '@/server/store/ids';
import { openStore, type Store, type StoreOptions } from '@/server/store/store';

export const quietLogger = createLogger({ logLevel: 'silent' });

/** A directory for one test, removed when the test ends. */
export function tempDir(): string {
  const path = mkdtempSync(join(tmpdir(), 'wheelhouse-test-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A store on a real file, closed when the test ends. */
export async function tempStore(options: Partial<StoreOptions> = {}): Promise<Store> {
  const dataDir = options.dataDir ?? tempDir();
  const store = await openStore({ dataDir, logger: quietLogger, ...options });
  onTestFinished(() => store.close());
  return store;
}

/** A workspace with one browser and one session in it. */
export async function tempSession(store: Store): Promise<{ workspace: string; session: string }> {
  const { workspace } = await store.people.ensureOwner({ workspace: 'Home', owner: 'Owner' }, new Date());
  const createdAt = new Date().toISOString();
  const browser = newId('b');
  const place = {
    cdpUrl: 'http://127.0.0.1:1',
    pid: 4_000_000,
    processStarted: '77',
    port: 1,
    userDataDir: 'profile',
    floorPort: null,
  };
  await store.browsers.add({
    id: browser,
    workspace,
    origin: 'launched',
    product: 'Chromium',
    state: 'live',
    createdAt,
    ...place,
  });
  const session = newId('s');
  const look = {
    name: 'Test',
    isolation: 'context',
    contexts: ['C1'],
    egressPort: null,
    viewport: { width: 1280, height: 720 },
    policy: { evaluate: true },
  } as const;
  await store.sessions.add({ id: session, workspace, browser, state: 'live', createdAt, endedAt: null, ...look });
  return { workspace, session };
}
