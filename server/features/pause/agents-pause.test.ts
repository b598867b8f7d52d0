import { expect, it } from 'vitest';
import { z } from 'zod';
import { withBudget } from '@/lib/budget/budget';
import { FakeClock } from '@/lib/budget/fake-clock';
import { everywhere } from '@/lib/rights/grants';
import type { Principal } from '@/server/access/principal';
import { aSessionWith } from '@/server/testing/kernel';
import { signedInPerson } from '@/server/testing/people';
import { useServerFixture } from '@/server/testing/server-fixture';
import { ask } from '@/server/testing/socket-client';
import { AGENTS_PAUSE, pause } from './agents-pause';

const fixture = useServerFixture('<!doctype html><title>Pause</title><input aria-label="Code">');

const result = z.object({ result: z.object({ value: z.unknown().optional() }) });
const type = (text: string) => ({ kind: 'type', selector: 'input', text, mode: 'append' }) as const;

/** A session that an agent drives, and calls of a moderator and of a member. */
async function driven() {
  const id = await fixture.open('worker');
  await fixture.server.act(id, type('a'), 'worker');
  const [mona, ben] = [
    await signedInPerson(fixture.server, 'admin', 'Mona'),
    await signedInPerson(fixture.server, 'member', 'Ben'),
  ];
  const post = async ({ headers }: typeof mona, path: string, body: object = {}): Promise<number> => {
    const json = { ...headers, 'content-type': 'application/json' };
    const url = `${fixture.server.origin}/api/v1/sessions/${id}${path}`;
    return (await fetch(url, { method: 'POST', headers: json, body: JSON.stringify(body) })).status;
  };
  const written = () => inPage(id, 'document.querySelector("input").value');
  return { id, mona, ben, post, written };
}

async function inPage(id: string, expression: string): Promise<unknown> {
  const page = fixture.inside(id).registry.get('t1')?.tab.sessions.sentinel;
  return result.parse(await page?.send('Runtime.evaluate', { expression })).result.value;
}

const outcomes = async (id: string, kind: string): Promise<unknown[]> => {
  const events = await fixture.inside(id).timeline.events({ limit: 50 });
  return events.filter((one) => one.kind === kind && one.phase === 'outcome').map(({ outcome }) => outcome);
};

const rows = async (id: string): Promise<string[]> =>
  (await fixture.inside(id).timeline.events({ limit: 50 })).map(({ actor, text }) => `${actor.name} ${text}`);

it('[CO4] what an agent does waits while a moderator has paused the agents, what it reads does not; it keeps the wheel', async () => {
  const { id, mona, ben, post, written } = await driven();
  const refused = await post(ben, '/pause');
  const paused = [await post(mona, '/pause'), await post(mona, '/pause')];
  const waiting = fixture.server.act(id, type('b'), 'worker');
  const read = await fixture.server.snapshot(id);
  const shown = fixture.inside(id).control('t1');
  const wait = `/api/v1/sessions/${id}/tabs/t1/control/wait?timeoutMs=60000`;
  const waits = fixture.server.api('GET', wait, undefined, { 'x-agent': 'worker' });
  await post(mona, '/resume');
  const [done, mayAct] = [await waiting, await waits];

  expect([refused, paused]).toEqual([403, [200, 200]]);
  expect(JSON.stringify(read)).toContain('Code');
  expect(shown).toMatchObject({ state: 'held', holder: { kind: 'agent' }, paused: { by: { name: 'Mona' } } });
  expect([done.error, mayAct.status, await written()]).toEqual([undefined, 200, 'ab']);
  expect(fixture.inside(id).control('t1')).not.toHaveProperty('paused');
  expect((await rows(id)).filter((row) => row.startsWith('Mona'))).toEqual([
    'Mona paused the agents',
    'Mona resumed the agents',
  ]);
});

it('[CO4] an agent whose time ends in the pause is told who paused it; a batch stops between two actions; people drive', async () => {
  const { id, mona, ben, post, written } = await driven();
  await post(mona, '/pause');
  const late = await fixture.server.act(id, { ...type('x'), timeoutMs: 300 }, 'worker');
  const ofTabs = await fixture.server.api('POST', `/api/v1/sessions/${id}/tabs`, {}, { 'x-agent': 'worker' });
  const agent = fixture.agent('worker');
  const { epoch } = fixture.inside(id).control('t1');
  const event = { type: 'text', text: 'y' } as const;
  const raw = await ask(agent, 'input', { session: id, tab: 't1', epoch, geometry: 0, event });
  await post(mona, '/resume');
  const actions = [{ kind: 'wait', text: 'Go' }, type('s')];
  const batch = fixture.server.act(id, { kind: 'batch', actions }, 'worker');
  await expect.poll(() => rows(id)).toContainEqual(expect.stringMatching(/worker.* wait/u));
  await post(mona, '/pause');
  await inPage(id, 'document.body.append("Go")');
  await expect.poll(() => outcomes(id, 'wait')).toEqual(['ok']);
  const took = await post(ben, '/tabs/t1/control', { do: 'take' });
  const lost = await batch;

  expect(late.error).toMatchObject({
    code: 'CONTROL_HELD',
    message: 'Mona has paused the agents of this session.',
    details: { paused: { by: { name: 'Mona' } } },
  });
  expect(ofTabs).toMatchObject({ status: 409, body: { error: { code: 'CONTROL_HELD' } } });
  expect(raw).toMatchObject({ ok: false, error: { code: 'CONTROL_HELD' } });
  expect([took, lost.error?.code, await written()]).toEqual([200, 'CONTROL_LOST', 'a']);
});

it('[CO4] a pause outlasts a restart; it is stored before it counts', async () => {
  const by = { id: 'p1', name: 'Mona', kind: 'human' } as const;
  const { session, store } = await aSessionWith({ paused: { by, at: '2026-11-23T08:00:00.000Z' } }, pause);
  const mona: Principal = {
    ...{ ...by, person: 'p1', workspace: 'w', rights: everywhere(['watch', 'drive', 'manage']) },
    ...{ rev: 0, expiresAt: undefined, credential: { kind: 'cookie', id: 'l1' } },
  };
  const caller = { principal: mona, door: 'ui' } as const;
  const stored = async () => (await store.sessions.get(session.workspace, session.id))?.paused;
  const begun = session.control('t1').paused?.by.name;
  const change = (what: 'pause' | 'resume') =>
    withBudget({ timeoutMs: 1_000, clock: new FakeClock() }, (budget) =>
      AGENTS_PAUSE.of(session)[what](budget, caller),
    );
  await change('resume');
  const resumed = await stored();
  await change('pause');

  expect([begun, resumed, await stored()]).toMatchObject(['Mona', undefined, { by: { name: 'Mona' } }]);
});
