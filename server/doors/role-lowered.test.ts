import { expect, it, onTestFinished } from 'vitest';
import { ask } from '@/server/testing/socket-client';
import { signedInPerson } from '@/server/testing/people';
import { useServerFixture } from '@/server/testing/server-fixture';

/** What a person has in hand when their role is lowered (AU3). */

const fixture = useServerFixture('<!doctype html><title>Roles</title><button>Go</button>');

it('[AU3] a person whose role is lowered while driving loses the wheel, and keeps watching', async () => {
  const { server } = fixture;
  const { access, store } = server.running.services;
  const id = await fixture.open();
  await server.api('POST', `/api/v1/sessions/${id}/tabs/t1/control`, { do: 'release' });
  const { workspace, id: person, name, headers } = await signedInPerson(server, 'member', 'Ada');
  const call = async (method: string, path: string, body?: unknown): Promise<[number, unknown]> => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const json = { ...headers, 'content-type': 'application/json' };
    const answer = await fetch(`${server.origin}/api/v1/sessions/${id}${path}`, { method, headers: json, ...sent });
    return [answer.status, await answer.json()];
  };
  const took = await call('POST', '/tabs/t1/control', { do: 'take' });
  const page = fixture.connect({ headers });
  const hello = await ask(page, 'hello', { protocol: 1 });
  const told = new Promise((resolve) => page.once('rights', resolve));
  const session = fixture.inside(id);
  const script = { kind: 'evaluate', fn: '() => new Promise(() => 0)', timeoutMs: 60_000 };
  const running = call('POST', '/tabs/t1/act', script);
  await expect.poll(() => session.runningActions.of('t1', person).length).toBe(1);
  await store.people.setRole(workspace, person, 'viewer', new Date());
  access.rights.apply({ kind: 'member', workspace, person, role: 'viewer' });
  const ended = await running;
  await expect.poll(() => session.control('t1').state).toBe('free');

  expect(took[0]).toBe(200);
  expect(hello).toMatchObject({ data: { role: 'member', grants: expect.arrayContaining(['drive']), withheld: null } });
  expect(await told).toEqual({ role: 'viewer', grants: ['watch'], server: false, withheld: null });
  expect(ended).toMatchObject([403, { error: { code: 'FORBIDDEN' } }]);
  expect(await call('POST', '/tabs/t1/control', { do: 'take' })).toMatchObject([403, { error: { code: 'FORBIDDEN' } }]);
  expect((await call('GET', '/tabs/t1/snapshot'))[0]).toBe(200);
  const rows = await session.timeline.events({ limit: 100 });
  expect(rows.map(({ actor, text }) => `${actor.name} ${text}`)).toContain(
    `${name} lost the wheel: the right to drive was taken away`,
  );
});

it('[AU2][AU3] a person whose workspace begins to require a second factor loses wheel, pictures and lists at once, and gets them back', async () => {
  const { server } = fixture;
  const { access, store } = server.running.services;
  const id = await fixture.open();
  await server.api('POST', `/api/v1/sessions/${id}/tabs/t1/control`, { do: 'release' });
  const { workspace, id: person, headers } = await signedInPerson(server, 'admin', 'Ada');
  const page = fixture.connect({ headers });
  await ask(page, 'hello', { protocol: 1 });
  await ask(page, 'wall.watch', {});
  await ask(page, 'session.join', { session: id });
  await ask(page, 'stream.open', { session: id, tab: 't1', tier: 'thumbnail' });
  const take = () => ask(page, 'control', { session: id, tab: 't1', do: 'take' });
  const took = await take();
  const heard: unknown[] = [];
  page.on('rights', (rights) => heard.push(rights.withheld, rights.grants.length > 0));
  page.on('session.gone', (gone) => heard.push(gone.id));
  const back = new Promise((resolve) => page.on('session.state', (view) => heard.length > 2 && resolve(view.id)));
  // Also when the test fails: the files after it have the same server.
  onTestFinished(() => access.rights.apply({ kind: 'workspace', workspace, secondFactor: false }));
  access.rights.apply({ kind: 'workspace', workspace, secondFactor: true });
  await expect.poll(() => fixture.inside(id).control('t1').state).toBe('free');
  const refused = [await take(), await ask(page, 'wall.watch', {}), await ask(page, 'hello', { protocol: 1 })];
  const [signIn] = await store.signIns.list(person, new Date());
  access.rights.apply({ kind: 'sign-in', signIn: signIn?.id ?? '', person: signIn?.person ?? '', counts: true });
  await back;

  expect(took.ok).toBe(true);
  const needed = { ok: false, error: { code: 'FORBIDDEN', details: { reason: 'SECOND_FACTOR_NEEDED' } } };
  expect(refused).toMatchObject([
    needed,
    needed,
    { ok: true, data: { role: 'admin', withheld: 'SECOND_FACTOR_NEEDED' } },
  ]);
  expect(heard).toEqual([id, 'SECOND_FACTOR_NEEDED', false, null, true]);
});
