import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { withBudget } from '@/lib/budget/budget';
import { everywhere, GRANTS } from '@/lib/rights/grants';
import { startTestServer, type TestServer } from '@/server/testing/server';
import type { Caller } from './caller';
import type { Session } from './session';
import { endsWithTest } from './testing/ends-with-test';

/** A caller of another workspace, who cannot have a sign-in or key of their own yet. */
function callerOf(workspace: string): Caller {
  const credential = { kind: 'key', id: 'k_elsewhere' } as const;
  const rights = everywhere(GRANTS);
  const who = { kind: 'agent', id: 'k_elsewhere', name: 'Elsewhere', person: 'p_elsewhere' } as const;
  return { principal: { ...who, workspace, rights, rev: 0, expiresAt: undefined, credential }, door: 'http' };
}

const sessionIn = ({ running: { services } }: TestServer, workspace: string): Promise<Session> =>
  withBudget({ timeoutMs: 30_000, clock: services.clock }, (budget) =>
    services.hub.create(budget, callerOf(workspace), { name: `In ${workspace}` }),
  );

it('[BR5][T6] after a restart each workspace has its own sessions and Chrome again, also when their Chromes have ended', async () => {
  const first = endsWithTest(await startTestServer());
  const { store, access } = first.running.services;
  const ours = access.owner.workspace;
  const theirs = await store.people.addWorkspace('Theirs', new Date());
  const { id: one } = await first.session();
  const { id: two } = await sessionIn(first, theirs);
  await first.close({ keepChrome: true, keepData: true });

  const second = endsWithTest(await startTestServer({ dataDir: first.dataDir }));
  const listed = (server: TestServer, workspace: string) =>
    server.running.services.hub.list(workspace).map(({ id, state, registry }) => [id, state, registry.size]);
  const again = [listed(second, ours), listed(second, theirs)];
  const chromes = await Promise.all(
    [ours, theirs].map((workspace) => second.running.services.store.browsers.listOpen(workspace)),
  );
  const profiles = readdirSync(path.join(first.dataDir, 'chrome')).toSorted();
  const foreign = await second.api('GET', `/api/v1/sessions/${two}`);
  await second.close({ keepChrome: true, keepData: true });
  for (const { pid } of chromes.flat()) process.kill(-Number(pid), 'SIGKILL');

  const third = endsWithTest(await startTestServer({ dataDir: first.dataDir }));
  await expect.poll(() => [listed(third, ours), listed(third, theirs)], { timeout: 30_000 }).toEqual(again);
  const { hub, browsers } = third.running.services;
  for (const { id } of browsers.list(theirs)) await browsers.remove(browsers.get(theirs, id));

  expect(again).toEqual([[[one, 'live', 1]], [[two, 'live', 1]]]);
  expect(chromes.map((records) => records.length)).toEqual([1, 1]);
  expect(profiles).toEqual(
    chromes
      .flat()
      .map(({ id }) => id)
      .toSorted(),
  );
  expect([foreign.status, hub.list(ours).length]).toEqual([404, 1]);
});
