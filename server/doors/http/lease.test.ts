import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { controlSchema, type Actor } from '@/lib/protocol/views';
import { ask, connectClient } from '@/server/testing/socket-client';
import { sharedTestServer, TEST_KEY, type ApiAnswer, type TestServer } from '@/server/testing/server';

/** Asking for the lease, giving it and handing it over, at both doors (CO4). */

let server: TestServer;
let cookie: string;
beforeAll(async () => {
  server = await sharedTestServer();
  cookie = await server.signIn();
});
afterAll(() => server.close());

const path = (session: string): string => `/api/v1/sessions/${session}/tabs/t1/control`;
const agent = (session: string, name: string, body: object): Promise<ApiAnswer> =>
  server.api('POST', path(session), body, { 'x-agent': name });

async function person(session: string, body: object): Promise<{ status: number; body: unknown }> {
  const headers = { cookie, origin: server.origin, 'content-type': 'application/json' };
  const response = await fetch(`${server.origin}${path(session)}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

function askerOf(control: unknown): Actor {
  const by = controlSchema.parse(control).asked?.by;
  if (!by) throw new Error('Nobody asks.');
  return by;
}

async function heldByPerson(): Promise<string> {
  const { id } = await server.session(undefined, 'buyer');
  await person(id, { do: 'take' });
  return id;
}

async function rows(session: string): Promise<string[]> {
  const { body } = await server.api('GET', `/api/v1/sessions/${session}/timeline`);
  return Array.isArray(body)
    ? body.filter(({ kind }) => kind === 'control').map(({ actor, text }) => `${actor.name} ${text}`)
    : [];
}

describe('asking for the lease', () => {
  it('[CO4] an agent asks a person, who agrees: the agent gets the lease with the note, and everybody is told', async () => {
    const id = await heldByPerson();
    const asked = await agent(id, 'buyer', { do: 'request' });
    const granted = await person(id, { do: 'grant', note: 'signed in' });
    const reply = await server.act(id, { kind: 'press', key: 'Shift' }, 'buyer');

    expect(asked).toMatchObject({
      status: 200,
      body: {
        state: 'held',
        holder: { kind: 'human' },
        asked: { by: { name: expect.stringContaining('buyer') }, passes: false },
      },
    });
    expect(granted).toMatchObject({ status: 200, body: { state: 'held', holder: { kind: 'agent' } } });
    expect([reply.error, reply.handoff]).toMatchObject([undefined, { by: 'Owner', note: 'signed in' }]);
    const { name } = askerOf(asked.body);
    expect((await rows(id)).slice(-3)).toEqual([
      'Owner took the wheel',
      `${name} asked Owner for the wheel`,
      `Owner gave the wheel to ${name}: “signed in”`,
    ]);
  });

  it('[CO4] a person may refuse and drives on; a second agent is told that there is a request', async () => {
    const id = await heldByPerson();
    await agent(id, 'buyer', { do: 'request' });
    const second = await agent(id, 'seller', { do: 'request' });
    const denied = await person(id, { do: 'deny' });

    expect(second).toMatchObject({
      status: 409,
      body: { error: { code: 'CONTROL_HELD', message: expect.stringContaining('has asked for the wheel already') } },
    });
    expect(denied).toMatchObject({
      status: 200,
      body: { state: 'held', holder: { kind: 'human' }, reason: 'a request was denied' },
    });
    expect(denied.body).not.toHaveProperty('asked');
    expect(await person(id, { do: 'grant' })).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
  });

  it('[CO4] an agent hands the lease to another by the socket; the named agent must be present', async () => {
    const { id } = await server.session('about:blank', 'buyer');
    await server.act(id, { kind: 'press', key: 'Shift' }, 'buyer');
    const client = connectClient(server.origin, { auth: { key: TEST_KEY, agent: 'buyer' } });
    const gone = await ask(client, 'control', { session: id, tab: 't1', do: 'hand-over', to: 'nobody-here' });
    const other = await agent(id, 'seller', { do: 'request' });
    const given = await ask(client, 'control', { session: id, tab: 't1', do: 'grant' });
    client.disconnect();
    const late = await server.act(id, { kind: 'press', key: 'Shift' }, 'buyer');

    expect(gone).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
    expect([other.status, given]).toMatchObject([
      200,
      { ok: true, data: { control: { state: 'held', holder: { name: expect.stringContaining('seller') } } } },
    ]);
    expect(late.error?.code).toBe('CONTROL_HELD');
  });

  it('[CO4] a person hands over to an agent by name', async () => {
    const id = await heldByPerson();
    const other = await agent(id, 'seller', { do: 'request' });
    await person(id, { do: 'deny' });
    const { id: seller } = askerOf(other.body);
    const given = await person(id, { do: 'hand-over', to: seller });

    expect(given).toMatchObject({ status: 200, body: { state: 'held', holder: { id: seller } } });
    expect(await person(id, { do: 'hand-over' })).toMatchObject({
      status: 400,
      body: { error: { code: 'BAD_REQUEST' } },
    });
  });
});
