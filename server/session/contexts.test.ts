import { expect, it } from 'vitest';
import { withBudget, type Budget } from '@/lib/budget/budget';
import { startTestServer, type TestServer } from '@/server/testing/server';
import { useServerFixture } from '@/server/testing/server-fixture';
import { crashTo } from './testing/crashes';
import { endsWithTest } from './testing/ends-with-test';
import { RECOVERY } from './feature-slots';
import type { Session } from './session';

const fixture = useServerFixture('<title>Site</title><button>Here</button>');

const inside = ({ running: { services } }: TestServer, id: string): Session =>
  services.hub.get(services.access.owner.workspace, id);

const within = <T>({ running: { services } }: TestServer, work: (budget: Budget) => Promise<T>): Promise<T> =>
  withBudget({ timeoutMs: 20_000, clock: services.clock }, work);

const evaluate = async (server: TestServer, id: string, tab: string, fn: string): Promise<unknown> =>
  (await server.act(id, { kind: 'evaluate', tab, fn })).value;

/** A session with a second context, and a tab in each that has a cookie and an entry of its own. */
async function twoContexts(server: TestServer): Promise<string> {
  const { id } = await server.session(fixture.url);
  const session = inside(server, id);
  const { tab } = await within(server, async (budget) => {
    const number = await server.running.services.hub.addContext(budget, session);
    return session.tabs.open(budget, undefined, number);
  });
  await server.act(id, { kind: 'navigate', tab: tab.id, url: fixture.url });
  for (const [name, word] of [
    ['t1', 'one'],
    [tab.id, 'two'],
  ] as const)
    await evaluate(
      server,
      id,
      name,
      `() => { document.cookie = 'who=${word}; max-age=9999'; localStorage.setItem('who', '${word}'); }`,
    );
  return id;
}

const KNOWN = `() => document.cookie + ' ' + localStorage.getItem('who')`;
const known = (server: TestServer, id: string): Promise<unknown[]> =>
  Promise.all(['t1', 't2'].map((tab) => evaluate(server, id, tab, KNOWN)));

it('[SE1] a session may have more contexts: with cookies, storage and popups of their own and one way out; they end with it', async () => {
  const { server } = fixture;
  const id = await twoContexts(server);
  const session = inside(server, id);
  const { browser, contexts } = session.init.contextRef;
  const denied: (string | undefined)[] = [];
  server.running.services.egress.onDenied(({ session: from, rule }) => denied.push(`${from} ${rule}`));
  await evaluate(server, id, 't2', `() => fetch('${server.origin}/healthz').then(() => 'out', () => 'denied')`);
  const popup = session.registry.onAdded.next(({ tab }) => tab.opener === 't2' || undefined);
  await evaluate(server, id, 't2', `() => void open('${fixture.site}/popup')`);
  await popup.promise;
  const apart = await known(server, id);
  const listed = await within(server, (budget) => browser.contexts(budget));
  await server.api('DELETE', `/api/v1/sessions/${id}`);
  const left = await within(server, (budget) => browser.contexts(budget));

  expect(apart).toEqual(['who=one one', 'who=two two']);
  expect(denied).toContain(`${id} own-port`);
  expect([
    contexts.length,
    contexts.every((one) => listed.includes(one)),
    contexts.filter((one) => left.includes(one)),
  ]).toEqual([2, true, []]);
});

it('[BR5][F11] its contexts are found again after a restart, and created anew after a crash, each with its tabs, cookies and storage', async () => {
  const first = endsWithTest(await startTestServer());
  const id = await twoContexts(first);
  const before = inside(first, id).init.contextRef.contexts;
  await first.close({ keepChrome: true, keepData: true });

  const second = endsWithTest(await startTestServer({ dataDir: first.dataDir }));
  const found = inside(second, id).init.contextRef.contexts;
  const afterRestart = await known(second, id);
  const third = await within(second, (budget) => inside(second, id).tabs.open(budget, undefined, 1));
  await second.act(id, { kind: 'navigate', tab: third.tab.id, url: fixture.url });
  const joined = await evaluate(second, id, third.tab.id, KNOWN);
  await RECOVERY.of(inside(second, id)).save();
  await crashTo(second, id, 'live');
  const afterCrash = await known(second, id);
  const anew = inside(second, id).init.contextRef;
  const rows = await second.running.services.store.sessions.listOpen(second.running.services.access.owner.workspace);

  expect([before.length, found]).toEqual([2, before]);
  expect([afterRestart, joined, afterCrash]).toEqual([
    ['who=one one', 'who=two two'],
    'who=two two',
    ['who=one one', 'who=two two'],
  ]);
  expect(anew.contexts.filter((one) => before.includes(one))).toEqual([]);
  expect(rows.map(({ contexts }) => contexts)).toEqual([anew.contexts]);
});
