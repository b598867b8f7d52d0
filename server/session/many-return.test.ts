import { expect, it, onTestFinished } from 'vitest';
import { timingsWith } from '@/server/config/timings';
import { startTestServer } from '@/server/testing/server';
import { chromesOf } from './testing/chromes';
import { endsWithTest } from './testing/ends-with-test';

const MANY = 30;

it('[BR5][F30] thirty sessions that are restored at once are all shown at once, and Node warns of no leak', async () => {
  const warnings: string[] = [];
  const listen = ({ name, message }: Error): number => warnings.push(`${name}: ${message}`);
  const first = endsWithTest(await startTestServer());
  const { id } = await first.session();
  const { store, access } = first.running.services;
  const { workspace } = access.owner;
  const record = await store.sessions.get(workspace, id);
  const ids = [id, ...Array.from({ length: MANY - 1 }, (_, n) => `s_${String(n).padStart(12, '0')}`)];
  // As they are written when they are made; making them would take Chrome half a minute.
  for (const other of ids.slice(1)) if (record) await store.sessions.add({ ...record, id: other, name: other });
  const chromes = await chromesOf(first);
  await first.close({ keepChrome: true, keepData: true });
  for (const { pid } of chromes) process.kill(-pid, 'SIGKILL');

  process.on('warning', listen);
  onTestFinished(() => void process.off('warning', listen));
  const second = endsWithTest(
    await startTestServer({ dataDir: first.dataDir, timings: timingsWith({ restoreMs: 60_000 }) }),
  );
  const shown = second.running.services.hub.list(workspace).map((session) => session.id);
  // All are on their way, which is when there were too many listeners; Node tells of it a turn later. Thirty whole
  // pages are much for a test: followed once to the last of them, there was no warning either.
  await new Promise((resolve) => setImmediate(resolve));
  await second.close();

  expect(shown.toSorted()).toEqual(ids.toSorted());
  expect(warnings).toEqual([]);
}, 120_000);
