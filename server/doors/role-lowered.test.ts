import { expect, it } from 'vitest';
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
  const session = fixture.inside(id);
  const script = { kind: 'evaluate', fn: '() => new Promise(() => 0)', timeoutMs: 60_000 };
  const running = call('POST', '/tabs/t1/act', script);
  await expect.poll(() => session.runningActions.of('t1', person).length).toBe(1);
  await store.people.setRole(workspace, person, 'viewer', new Date());
  access.rights.apply({ kind: 'member', workspace, person, role: 'viewer' });
  const ended = await running;
  await expect.poll(() => session.control('t1').state).toBe('free');

  expect(took[0]).toBe(200);
  expect(ended).toMatchObject([403, { error: { code: 'FORBIDDEN' } }]);
  expect(await call('POST', '/tabs/t1/control', { do: 'take' })).toMatchObject([403, { error: { code: 'FORBIDDEN' } }]);
  expect((await call('GET', '/tabs/t1/snapshot'))[0]).toBe(200);
  const rows = await session.timeline.events({ limit: 100 });
  expect(rows.map(({ actor, text }) => `${actor.name} ${text}`)).toContain(
    `${name} lost the wheel: the right to drive was taken away`,
  );
});
