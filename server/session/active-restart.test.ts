import { RECOVERY } from '@/server/session/feature-slots';
import { expect, it, onTestFinished } from 'vitest';
import { snapshotViewSchema } from '@/lib/protocol/views';
import { startTestServer, type TestServer } from '@/server/testing/server';
import { startWeb } from '@/server/testing/web';
import { chromesOf } from './testing/chromes';
import { stateOf } from './testing/crashes';
import { endsWithTest } from './testing/ends-with-test';

/**
 * The active tab, of the session and of each participant, whichever of Chrome and server dies and returns first (SE2,
 * BR5).
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
  const { hub, access } = server.running.services;
  const { activeTab, tabs } = hub.get(access.owner.workspace, id).view();
  return [
    activeTab,
    tabs.filter(({ active }) => active).map((tab) => tab.id),
    await reads(server, id, 'driver'),
    await reads(server, id, 'reader'),
  ];
}

it('[SE2][BR5] the active tab and the holders of leases stay the same after Chrome was closed, after the server was restarted, and after both', async () => {
  const web = await startWeb(PAGE);
  onTestFinished(() => web.close());
  const first = endsWithTest(await startTestServer());
  const { id } = await first.session(`${web.origin}/?one`, 'driver');
  for (const query of ['two', 'three'])
    await first.api('POST', `/api/v1/sessions/${id}/tabs`, { url: `${web.origin}/?${query}` }, { 'x-agent': 'driver' });
  await first.act(id, { kind: 'press', key: 'a', tab: 't2' }, 'driver');
  await reads(first, id, 'reader', 't3');
  const { hub, access, browsers } = first.running.services;
  const session = hub.get(access.owner.workspace, id);
  const before = session.control('t2');
  await RECOVERY.of(session).save();

  // As by its own menu: it closes its tabs, one after the other, and ends.
  const down = stateOf(first, id, 'browser-down');
  for (const view of browsers.list(access.owner.workspace))
    void browsers.get(access.owner.workspace, view.id).lanes.bulk.browser.sendMayFail('Browser.close');
  await down;
  await stateOf(first, id, 'live');
  const closed = await activeIn(first, id);
  const lease = session.control('t2');
  await first.close({ keepChrome: true, keepData: true });

  const second = endsWithTest(await startTestServer({ dataDir: first.dataDir }));
  const restarted = await activeIn(second, id);
  const chromes = await chromesOf(second);
  await second.close({ keepChrome: true, keepData: true });
  for (const { pid } of chromes) process.kill(-pid, 'SIGKILL');

  const third = endsWithTest(await startTestServer({ dataDir: first.dataDir }));
  await stateOf(third, id, 'live');
  const both = await activeIn(third, id);
  await third.close();

  expect(before.holder).toMatchObject({ kind: 'agent' });
  expect(lease.holder).toEqual(before.holder);
  expect(lease.epoch).toBeGreaterThan(before.epoch);
  const same = ['t2', ['t2'], '?two', '?three'];
  expect([closed, restarted, both]).toEqual([same, same, same]);
}, 90_000);

it('[CO9][BR5] a session with one tab keeps its lease when its Chrome closes the tab and ends', async () => {
  const web = await startWeb(PAGE);
  onTestFinished(() => web.close());
  const server = endsWithTest(await startTestServer());
  const { id } = await server.session(`${web.origin}/?one`, 'driver');
  await server.act(id, { kind: 'press', key: 'a' }, 'driver');
  const { hub, access, browsers } = server.running.services;
  const session = hub.get(access.owner.workspace, id);
  await RECOVERY.of(session).save();

  const down = stateOf(server, id, 'browser-down');
  for (const view of browsers.list(access.owner.workspace))
    void browsers.get(access.owner.workspace, view.id).lanes.bulk.browser.sendMayFail('Browser.close');
  await down;
  await stateOf(server, id, 'live');

  expect(session.control('t1')).toMatchObject({ state: 'held', holder: { name: 'driver' } });
  expect(await reads(server, id, 'driver')).toBe('?one');
});
