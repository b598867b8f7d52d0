import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ask } from '@/server/testing/socket-client';
import { useServerFixture } from '@/server/testing/server-fixture';

const fixture = useServerFixture('<title>Others</title><button>Press</button>');

interface Agent {
  /** Status and code of its request. */
  ask(method: string, path: string, body?: unknown): Promise<[number, string | undefined, string | undefined]>;
  act(session: string, action: object): Promise<void>;
  open(): Promise<string>;
}

const failure = z.object({ error: z.object({ code: z.string(), hint: z.string() }) });

/** An agent with a key of its own. */
async function agent(name: string): Promise<Agent> {
  const made = await fixture.server.api('POST', '/api/v1/keys', {
    name,
    grants: ['watch', 'drive', 'files', 'evaluate'],
    sessions: 'workspace',
  });
  const { key } = z.object({ key: z.string() }).parse(made.body);
  const call = (method: string, path: string, body?: unknown): ReturnType<typeof fixture.server.api> =>
    fixture.server.api(method, `/api/v1/sessions${path}`, body, {
      authorization: `Bearer ${key}`,
      ...(typeof body === 'string' ? { 'content-type': 'application/octet-stream' } : {}),
    });
  return {
    ask: async (method, path, body) => {
      const { status, body: answer } = await call(method, path, body);
      const { error } = failure.safeParse(answer).data ?? {};
      return [status, error?.code, error?.hint];
    },
    act: async (session, action) => void (await call('POST', `/${session}/tabs/active/act`, action)),
    open: async () => z.object({ id: z.string() }).parse((await call('POST', '', { url: fixture.url })).body).id,
  };
}

const status = ([code]: readonly [number, ...unknown[]]): number => code;

describe('things of other participants', () => {
  it('[CO2] without the lease no key deletes a file of another, renames its session or empties its console; the refusal names the way', async () => {
    const [maker, other] = [await agent('maker'), await agent('other')];
    const id = await maker.open();
    await maker.ask('PUT', `/${id}/files/mine.txt`, 'words');
    await maker.ask('POST', `/${id}/tabs/active/control`, { do: 'release' });
    const deeds = [
      ['DELETE', `/${id}/files/mine.txt`],
      ['PATCH', `/${id}`, { name: 'Taken over' }],
      ['DELETE', `/${id}/tabs/t1/console`],
      ['DELETE', `/${id}/tabs/t1/requests`],
    ] as const;
    const all = async (who: Agent): Promise<[number, string | undefined, string | undefined][]> => {
      const answers = [];
      for (const [method, path, body] of deeds) answers.push(await who.ask(method, path, body));
      return answers;
    };
    const free = await all(other);
    await maker.act(id, { kind: 'click', role: 'button', name: 'Press' });
    const held = await all(other);

    expect(free.map(([code, error, hint]) => [code, error, hint?.includes('"do":"take"')])).toEqual(
      deeds.map(() => [403, 'FORBIDDEN', true]),
    );
    expect(held.map(([code, error, hint]) => [code, error, hint?.includes('control/wait')])).toEqual(
      deeds.map(() => [409, 'CONTROL_HELD', true]),
    );
    expect((await fixture.server.api('GET', `/api/v1/sessions/${id}/files`)).body).toMatchObject([
      { name: 'mine.txt', by: 'maker' },
    ]);
    expect(JSON.stringify((await fixture.server.api('GET', `/api/v1/sessions/${id}/files`)).body)).not.toContain(
      'owner',
    );
  });

  it('[CO2] the creator, the holder of the lease and managers of the server may', async () => {
    const [maker, other] = [await agent('maker'), await agent('other')];
    const id = await maker.open();
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await maker.ask('PUT', `/${id}/files/${name}`, 'words');
    await maker.ask('POST', `/${id}/tabs/active/control`, { do: 'release' });
    const own = [
      await maker.ask('DELETE', `/${id}/files/a.txt`),
      await maker.ask('PATCH', `/${id}`, { name: 'Mine' }),
      await maker.ask('DELETE', `/${id}/tabs/t1/console`),
    ];
    const manages = [
      await fixture.server.api('DELETE', `/api/v1/sessions/${id}/files/b.txt`),
      await fixture.server.api('PATCH', `/api/v1/sessions/${id}`, { name: 'Managed' }),
    ];
    await other.act(id, { kind: 'click', role: 'button', name: 'Press' });
    const driving = [
      await other.ask('DELETE', `/${id}/files/c.txt`),
      await other.ask('PATCH', `/${id}`, { name: 'Driven' }),
      await other.ask('DELETE', `/${id}/tabs/t1/errors`),
    ];

    expect([own.map(status), manages.map(({ status: code }) => code), driving.map(status)]).toEqual([
      [200, 200, 200],
      [200, 200],
      [200, 200, 200],
    ]);
  });
});

describe('names', () => {
  it('[GU3] of sessions lose invisible characters and line breaks', async () => {
    const made = await fixture.server.api('POST', '/api/v1/sessions', {
      name: 'Pay\u202Eroll\n\u2066Owner\u2069\u0000',
    });

    expect(made.body).toMatchObject({ name: 'Payroll Owner' });
  });

  it('[GU3] no agent can call itself Owner or Wheelhouse, by any door and in any spelling', async () => {
    const names = ['Owner', 'o w n e r', '0wner', 'WheelHouse', 'Whee1house'];
    const headers = await Promise.all(
      names.map((name) => fixture.server.api('GET', '/api/v1/sessions', undefined, { 'x-agent': name })),
    );
    const keys = await Promise.all(
      [...names, 'Оwner', 'Ow\u200Bner'].map((name) => fixture.server.api('POST', '/api/v1/keys', { name })),
    );
    const socket = await new Promise<string>((resolve) => {
      const client = fixture.agent('Wheelhouse');
      client.on('connect_error', ({ message }) => resolve(message));
      client.on('connect', () => resolve('connected'));
    });

    expect(
      [...headers, ...keys].map(({ status: code, body }) => [code, failure.safeParse(body).data?.error.code]),
    ).toEqual(Array.from({ length: 12 }, () => [400, 'BAD_REQUEST']));
    expect(socket).toBe('BAD_REQUEST');
  });
});

describe("a caller's id of an action", () => {
  it('[TL1] is on its rows, also refused ones, in the list, in the search and in the export', async () => {
    const id = await fixture.open('caller');
    await fixture.server.act(id, { kind: 'click', role: 'button', name: 'Press', id: 'order-7' }, 'caller');
    await fixture.server.act(id, { kind: 'click', role: 'button', name: 'Press' }, 'caller');
    await fixture.server.act(
      id,
      { kind: 'click', role: 'button', name: 'Press', id: 'refused-8', tab: 't99' },
      'caller',
    );
    const path = `/api/v1/sessions/${id}/timeline`;
    const rows = z.array(z.looseObject({ phase: z.string(), kind: z.string(), actionId: z.string().optional() }));
    const all = rows.parse((await fixture.server.api('GET', path)).body);
    const found = rows.parse((await fixture.server.api('GET', `${path}?q=order-7`)).body);
    const lines = String((await fixture.server.api('GET', `${path}?format=jsonl`)).body);
    const client = fixture.agent('watcher');
    const joined = await ask(client, 'session.join', { session: id });

    expect(
      all.filter(({ kind }) => kind === 'click' || kind === 'refused').map(({ phase, actionId }) => [phase, actionId]),
    ).toEqual([
      ['intent', 'order-7'],
      ['outcome', 'order-7'],
      ['intent', undefined],
      ['outcome', undefined],
      ['event', 'refused-8'],
    ]);
    expect([found.length, lines.split('"actionId":"order-7"').length - 1]).toEqual([2, 2]);
    expect(joined.ok && joined.data.timeline.filter(({ actionId }) => actionId === 'order-7').length).toBe(2);
  });
});
