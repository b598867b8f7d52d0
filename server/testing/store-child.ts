import { createLogger } from '@/server/telemetry/logger';
import { messageOf } from '@/lib/errors/error';
import { openStore } from '@/server/store/store';
import { clickEvent } from './events';

/**
 * A second server for tests of faults: opens the store of argv[2] and reports it on stdout, one line each. With argv[3]
 * `workspace` and argv[4] `session` it then records actions for ever and prints each number after its commit: printed
 * actions must survive kill -9.
 */
const [, , dataDir = '', workspace, session] = process.argv;
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

try {
  const store = await openStore({ dataDir, logger: createLogger({ logLevel: 'silent' }), busyMs: 500 });
  say('open');
  if (workspace !== undefined && session !== undefined) setImmediate(() => void record(store, workspace, session, 1));
  else process.stdin.resume().on('end', () => void store.close());
} catch (thrown) {
  say(`refused ${messageOf(thrown)}`);
  process.exitCode = 1;
}

type Store = Awaited<ReturnType<typeof openStore>>;

async function record(store: Store, workspaceId: string, sessionId: string, number: number): Promise<void> {
  const key = { workspace: workspaceId, session: sessionId, participant: 'k_1', action: `a${number}` };
  await store.journal.recordIntent(key, 'f', clickEvent(`e${number}`));
  say(`intent ${number}`);
  const reply = { ok: true, id: key.action, kind: 'click', tab: 't1', url: '', startedAt: '', ms: 1, warnings: [] };
  await store.journal.recordOutcome(key, reply, clickEvent(`e${number}`, { outcome: 'ok' }));
  say(`outcome ${number}`);
  setImmediate(() => void record(store, workspaceId, sessionId, number + 1));
}
