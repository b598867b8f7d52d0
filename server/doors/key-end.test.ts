import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ask, type Client } from '@/server/testing/socket-client';
import { useServerFixture } from '@/server/testing/server-fixture';

/** Leases, waits and questions when a key or a sign-in ends (AU3, R3). */

const PAGE = '<!doctype html><meta charset="utf-8"><title>Keys</title><input id="f" aria-label="Field">';
const fixture = useServerFixture(PAGE);

interface Key {
  readonly id: string;
  call(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: unknown }>;
  end(): Promise<unknown>;
}

async function newKey(): Promise<Key> {
  const { id, key } = z
    .object({ id: z.string(), key: z.string() })
    .parse((await fixture.server.api('POST', '/api/v1/keys', { name: 'short-lived', sessions: 'workspace' })).body);
  return {
    id,
    call: (method, path, body) =>
      fixture.server.api(method, `/api/v1/sessions/${path}`, body, {
        authorization: `Bearer ${key}`,
        'x-agent': 'bot',
      }),
    end: () => fixture.server.api('DELETE', `/api/v1/keys/${id}`),
  };
}

/** A session whose lease the agent of a key of its own has. */
async function driven(open = fixture.again): Promise<{ id: string; key: Key }> {
  const id = await open();
  await fixture.server.api('POST', `/api/v1/sessions/${id}/tabs/t1/control`, { do: 'release' });
  const key = await newKey();
  expect((await key.call('POST', `${id}/tabs/t1/act`, { kind: 'press', key: 'Shift' })).status).toBe(200);
  return { id, key };
}

const lease = async (id: string): Promise<unknown> =>
  (await fixture.server.api('GET', `/api/v1/sessions/${id}/tabs/t1/control`)).body;
async function rows(id: string): Promise<string[]> {
  return (await fixture.inside(id).timeline.events({ limit: 100 }))
    .filter(({ kind }) => kind === 'control')
    .map(({ actor, text }) => `${actor.name} ${text}`);
}

describe('the lease of an agent whose key ends', () => {
  it('[AU3][CO5] is not given back to it: the person is told, handing back frees the tab, and no agent gets a receipt', async () => {
    const { id, key } = await driven();
    await fixture.control(id, { do: 'take' });
    await key.end();
    const shown = await lease(id);
    const back = await fixture.control(id, { do: 'hand-back', note: 'yours' });
    const receipts = (await fixture.inside(id).timeline.events({ limit: 100 })).filter(({ receipt }) => receipt);

    expect(shown).toMatchObject({ state: 'held', holder: { kind: 'human' }, takenFrom: null });
    expect(back).toMatchObject({ status: 200, body: { state: 'free', holder: null } });
    expect((await rows(id)).slice(-3)).toEqual([
      'Owner took the wheel',
      'bot will not get the wheel back, because its key has ended',
      expect.stringContaining('“yours”'),
    ]);
    expect(receipts).toEqual([]);
  });

  it('[AU3] cannot be handed over to it', async () => {
    const { id, key } = await driven();
    await fixture.control(id, { do: 'take' });
    await key.end();

    expect(await fixture.control(id, { do: 'hand-over', to: `${key.id}/bot` })).toMatchObject({ status: 404 });
    expect(await lease(id)).toMatchObject({ state: 'held', holder: { kind: 'human' } });
  });

  it('[AU3] is released also after a restart, although the agent was not seen since', async () => {
    const held = await driven(fixture.open);
    const taken = await driven(fixture.open);
    await fixture.control(taken.id, { do: 'take' });
    await fixture.restart();
    const before = await Promise.all([lease(held.id), lease(taken.id)]);
    for (const { key } of [held, taken]) await key.end();
    const after = await Promise.all([lease(held.id), lease(taken.id)]);

    expect(before).toMatchObject([
      { state: 'held', holder: { name: 'bot' } },
      { state: 'held', takenFrom: { name: 'bot' } },
    ]);
    expect(after).toMatchObject([
      { state: 'free', reason: 'signed out' },
      { state: 'held', takenFrom: null },
    ]);
  }, 60_000);
});

describe('waits of an agent whose key ends', () => {
  it('[AU3] ends at once: an action, a wait for the lease, a question to people', async () => {
    const { id, key } = await driven();
    const acting = key.call('POST', `${id}/tabs/t1/act`, { kind: 'wait', text: 'never', timeoutMs: 60_000 });
    const asking = key.call('POST', `${id}/tabs/t1/control`, { do: 'ask-human', reason: 'sign in', timeoutMs: 60_000 });
    await expect.poll(async () => (await rows(id)).at(-1)).toContain('sign in');
    await fixture.control(id, { do: 'take' });
    const waiting = key.call('GET', `${id}/tabs/t1/control/wait?timeoutMs=60000`);
    // This call is handled after those that were sent before it.
    await fixture.server.api('GET', `/api/v1/sessions/${id}`);
    const order: string[] = [];
    const marker = setTimeout(() => order.push('marker'), 20_000);
    const ends = [acting, asking, waiting].map((call) => call.finally(() => order.push('end')));
    await key.end();
    const answers = await Promise.all(ends);
    clearTimeout(marker);

    expect(order).toEqual(['end', 'end', 'end']);
    expect(answers.slice(1).map(({ status }) => status)).toEqual([401, 401]);
    expect(await lease(id)).not.toHaveProperty('questions');
  }, 60_000);
});

describe('a key that changes or gets a new text', () => {
  it('[AU2][T9] loses what it has open, and comes back with the new rights', async () => {
    const { id, key } = await driven();
    const made = await fixture.server.api('POST', '/api/v1/keys', { name: 'renewed', sessions: 'workspace' });
    const first = z.object({ id: z.string(), key: z.string() }).parse(made.body);
    const client = fixture.connect({ auth: { key: first.key } });
    await ask(client, 'session.join', { session: id });
    const gone = new Promise((resolve) => client.once('disconnect', resolve));
    const renewed = await fixture.server.api('POST', `/api/v1/keys/${first.id}/rotate`);
    await gone;
    const { key: text } = z.object({ key: z.string() }).parse(renewed.body);
    const call = async (by: string) =>
      (await fixture.server.api('GET', `/api/v1/sessions/${id}`, undefined, { authorization: `Bearer ${by}` })).status;
    const before = [await call(first.key), await call(text)];
    const change = await fixture.server.api('PATCH', `/api/v1/keys/${first.id}`, { sessions: 'own' });
    await key.end();

    expect([...before, change.status, await call(text)]).toEqual([401, 200, 200, 404]);
  });
});

describe('a key for the sessions that it makes', () => {
  it('[AU2] makes one, acts in it, and sees no other', async () => {
    const other = await fixture.open();
    const made = await fixture.server.api('POST', '/api/v1/keys', { name: 'alone' });
    const { key } = z.object({ key: z.string() }).parse(made.body);
    const call = (method: string, path: string, body?: unknown) =>
      fixture.server.api(method, `/api/v1/sessions${path}`, body, { authorization: `Bearer ${key}` });
    const session = await call('POST', '', { url: fixture.url });
    const { id } = z.object({ id: z.string() }).parse(session.body);
    const acted = await call('POST', `/${id}/tabs/t1/act`, { kind: 'press', key: 'Shift' });
    const listed = z.array(z.object({ id: z.string() })).parse((await call('GET', '')).body);

    expect([session.status, acted.status]).toEqual([201, 200]);
    expect(listed.map((one) => one.id)).toEqual([id]);
    expect((await call('GET', `/${other}`)).status).toBe(404);
  });
});

describe('a person with two sign-ins', () => {
  /** A window with a sign-in of its own. */
  async function window(id: string): Promise<{ client: Client; signOut(): Promise<unknown> }> {
    const { origin, signIn, running } = fixture.server;
    const headers = { cookie: await signIn(), origin };
    const client = fixture.connect({ headers });
    await ask(client, 'session.join', { session: id });
    const { access } = running.services;
    return {
      client,
      signOut: async () => {
        const principal = await access.authentication.requirePrincipal({
          headers: { ...headers, host: new URL(origin).host },
          address: '',
        });
        if (principal.kind === 'human') await access.authentication.signOut(principal, headers);
      },
    };
  }

  for (const order of [
    [0, 1],
    [1, 0],
  ] as const) {
    it(`[CO7][R3] keeps the wheel when the ${order[0] === 0 ? 'first' : 'second'} sign-in ends, and loses it with the last`, async () => {
      const id = await fixture.again();
      const windows = [await window(id), await window(id)] as const;
      await ask(windows[order[0]].client, 'control', { session: id, tab: 't1', do: 'take' });
      await windows[order[0]].signOut();
      const between = await lease(id);
      await windows[order[1]].signOut();

      expect(between).toMatchObject({ state: 'held', holder: { kind: 'human' } });
      expect(between).not.toHaveProperty('parkedMs');
      expect(await lease(id)).toMatchObject({ state: 'free', reason: 'signed out' });
    });
  }
});
