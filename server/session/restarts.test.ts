import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { withBudget } from '@/lib/budget/budget';
import { snapshotViewSchema } from '@/lib/protocol/views';
import { everywhere, GRANTS } from '@/lib/rights/grants';
import { RECOVERY } from '@/server/session/feature-slots';
import { startTestServer, type TestServer } from '@/server/testing/server';
import { startWeb } from '@/server/testing/web';
import type { Caller } from './caller';
import type { Session } from './session';
import { stateOf } from './testing/crashes';
import { endsWithTest } from './testing/ends-with-test';

/**
 * The active tab, of the session and of each participant, leases, and the sessions of each workspace, whichever of
 * Chrome and server dies and returns first (SE2, BR5, T6).
 */

const PAGE = '<title>Tab</title>';

/** The page that an agent reads without naming a tab, or by naming this one. */
async function reads(server: TestServer, id: string, agent: string, tab = 'active'): Promise<string> {
  const { body } = await server.api('GET', `/api/v1/sessions/${id}/tabs/${tab}/snapshot`, undefined, {
    'x-agent': agent,
  });
  return new URL(snapshotViewSchema.partial().parse(body).url ?? '').search;
}

/** The active tab as shown to everybody, then the pages that two agents read without naming a tab. */
async function activeIn(server: TestServer, id: string): Promise<unknown[]> {
  const { activeTab, tabs } = inside(server, id).view();
  return [
    activeTab,
    tabs.filter(({ active }) => active).map((tab) => tab.id),
    await reads(server, id, 'driver'),
    await reads(server, id, 'reader'),
  ];
}

const inside = ({ running: { services } }: TestServer, id: string): Session =>
  services.hub.get(services.access.owner.workspace, id);

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

const listed = ({ running: { services } }: TestServer, workspace: string) =>
  services.hub
    .list(workspace)
    .map(({ id, state, registry }) => `${id} ${state}, tabs: ${registry.size}`)
    .toSorted();

it('[SE2][BR5] the active tab and the holders of leases stay the same after Chrome was closed, after the server was restarted, and after both. [CO9] So does the lease of a session with one tab, which Chrome closes before it ends. [T6] Each workspace has its own sessions and Chrome again', async () => {
  const web = await startWeb(PAGE);
  onTestFinished(() => web.close());
  const first = endsWithTest(await startTestServer());
  const { id } = await first.session(`${web.origin}/?one`, 'driver');
  for (const query of ['two', 'three'])
    await first.api('POST', `/api/v1/sessions/${id}/tabs`, { url: `${web.origin}/?${query}` }, { 'x-agent': 'driver' });
  await first.act(id, { kind: 'press', key: 'a', tab: 't2' }, 'driver');
  await reads(first, id, 'reader', 't3');
  const { id: single } = await first.session(`${web.origin}/?single`, 'driver');
  await first.act(single, { kind: 'press', key: 'a' }, 'driver');
  const { access, browsers, store } = first.running.services;
  const ours = access.owner.workspace;
  const theirs = await store.people.addWorkspace('Theirs', new Date());
  const { id: foreign } = await sessionIn(first, theirs);
  const session = inside(first, id);
  const before = session.control('t2');
  for (const one of [id, single]) await RECOVERY.of(inside(first, one)).save();

  // As by its own menu: it closes its tabs, one after the other, and ends.
  const down = Promise.all([stateOf(first, id, 'browser-down'), stateOf(first, single, 'browser-down')]);
  for (const view of browsers.list(ours))
    void browsers.get(ours, view.id).lanes.bulk.browser.sendMayFail('Browser.close');
  await down;
  await Promise.all([stateOf(first, id, 'live'), stateOf(first, single, 'live')]);
  const closed = await activeIn(first, id);
  const lease = session.control('t2');
  const alone = [inside(first, single).control('t1'), await reads(first, single, 'driver')];
  await first.close({ keepChrome: true, keepData: true });

  const second = endsWithTest(await startTestServer({ dataDir: first.dataDir }));
  const restarted = await activeIn(second, id);
  const again = [listed(second, ours), listed(second, theirs)];
  const chromes = await Promise.all(
    [ours, theirs].map((workspace) => second.running.services.store.browsers.listOpen(workspace)),
  );
  const running = chromes.flat().map((record) => record.id);
  // The profile of the one that was closed goes.
  await expect
    .poll(() => readdirSync(path.join(first.dataDir, 'chrome')).toSorted(), {
      timeout: 20_000,
      message: 'profiles after the restart',
    })
    .toEqual(running.toSorted());
  const unseen = await second.api('GET', `/api/v1/sessions/${foreign}`);
  await second.close({ keepChrome: true, keepData: true });
  for (const { pid } of chromes.flat()) process.kill(-Number(pid), 'SIGKILL');

  const third = endsWithTest(await startTestServer({ dataDir: first.dataDir }));
  await expect
    .poll(() => [listed(third, ours), listed(third, theirs)], { timeout: 30_000, message: 'sessions after both' })
    .toEqual(again);
  const both = await activeIn(third, id);
  const last = third.running.services.browsers;
  for (const view of last.list(theirs)) await last.remove(last.get(theirs, view.id));
  await third.close();

  expect(before.holder, 'before').toMatchObject({ kind: 'agent' });
  expect(lease.holder, 'after Chrome was closed').toEqual(before.holder);
  expect(lease.epoch, 'after Chrome was closed').toBeGreaterThan(before.epoch);
  const same = ['t2', ['t2'], '?two', '?three'];
  expect({ closed, restarted, both }).toEqual({ closed: same, restarted: same, both: same });
  expect(alone, 'the session with one tab, after Chrome was closed').toMatchObject([
    { state: 'held', holder: { name: 'driver' } },
    '?single',
  ]);
  expect(again, 'after the restart').toEqual([
    [`${id} live, tabs: 3`, `${single} live, tabs: 1`].toSorted(),
    [`${foreign} live, tabs: 1`],
  ]);
  expect(
    chromes.map((records) => records.length),
    'Chromes after the restart',
  ).toEqual([1, 1]);
  expect(unseen.status, 'the other workspace, after the restart').toBe(404);
}, 90_000);
