import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { replySchema, type Reply } from '@/lib/actions/reply';
import { controlSchema, type ControlView } from '@/lib/protocol/views';
import { ask, type Client } from '@/server/testing/socket-client';
import { useServerFixture } from '@/server/testing/server-fixture';

/** The same request at the same moment by HTTP and by Socket.IO, of one caller and of several (CO1, CO2, CO10). */

const fixture = useServerFixture(
  '<!doctype html><meta charset="utf-8"><title>Both</title><input id="field" aria-label="Field">',
);

/** Of one test. */
const ROUNDS = 8;

/** The outcome of a request about the lease or of an action, by either door. */
type Answer =
  | { readonly ok: true; readonly control: ControlView }
  | { readonly ok: false; readonly code: string; readonly message: string };
const failureSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

const typing = (text: string): object => ({ kind: 'type', selector: '#field', text, mode: 'append' });
const route = (session: string, rest: string): string => `/api/v1/sessions/${session}/tabs/t1/${rest}`;

async function requestByHttp(session: string, agent: string, payload: object): Promise<Answer> {
  const { status, body } = await fixture.server.api('POST', route(session, 'control'), payload, { 'x-agent': agent });
  return status === 200
    ? { ok: true, control: controlSchema.parse(body) }
    : { ok: false, ...failureSchema.parse(body).error };
}

async function requestBySocket(session: string, client: Client): Promise<Answer> {
  const answer = await ask(client, 'control', { session, tab: 't1', do: 'take' });
  return answer.ok
    ? { ok: true, control: answer.data.control }
    : { ok: false, code: answer.error.code, message: answer.error.message };
}

async function actBySocket(session: string, client: Client, action: object): Promise<Reply> {
  const answer = await ask(client, 'act', { session, tab: 't1', action });
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.data;
}

async function actByHttp(session: string, agent: string, action: object): Promise<Reply> {
  return replySchema.parse(
    (await fixture.server.api('POST', route(session, 'act'), action, { 'x-agent': agent })).body,
  );
}

/** A session with a free lease, and a connection of the agent that uses the socket. */
async function sessionFor(agent: string): Promise<{ id: string; client: Client }> {
  const id = await fixture.open('opener');
  await requestByHttp(id, 'opener', { do: 'release' });
  const client = fixture.agent(agent);
  await ask(client, 'session.join', { session: id });
  return { id, client };
}

/** The next round begins with a free lease and an empty field. */
async function clear(id: string): Promise<void> {
  const { holder } = fixture.inside(id).control('t1');
  if (holder) await requestByHttp(id, holder.name, { do: 'release' });
  await look(id, 'document.querySelector("#field").value = ""');
}

/** Asked beside everything else, on a line of its own. */
async function look(id: string, expression = 'document.querySelector("#field").value'): Promise<unknown> {
  return (
    await fixture
      .inside(id)
      .activeSessionTab()
      .tab.sessions.sentinel.send('Runtime.evaluate', { expression, returnByValue: true })
  ).result.value;
}

async function changes(session: string, text: string): Promise<number> {
  const rows = await fixture.inside(session).timeline.events({ limit: 500 });
  return rows.filter((row) => row.kind === 'control' && row.text === text).length;
}

/** The two doors get their turn at being first. */
const both = <T>(turn: number, http: () => Promise<T>, socket: () => Promise<T>): Promise<T[]> =>
  Promise.all(turn % 2 === 0 ? [http(), socket()] : [socket(), http()]);

describe('by both doors in the same tick', () => {
  it('[CO1][CO10] one agent takes: it holds the lease once, and both replies say so', async () => {
    const { id, client } = await sessionFor('one');
    for (let round = 0; round < ROUNDS; round += 1) {
      await clear(id);
      const { epoch } = fixture.inside(id).control('t1');
      const answers = await both(
        round,
        () => requestByHttp(id, 'one', { do: 'take' }),
        () => requestBySocket(id, client),
      );

      expect(answers).toMatchObject(
        Array.from({ length: 2 }, () => ({
          ok: true,
          control: { state: 'held', holder: { name: 'one' }, epoch: epoch + 1 },
        })),
      );
    }
    expect(await changes(id, 'took the wheel')).toBe(ROUNDS);
  }, 60_000);

  it('[CO1][F22] two agents take: one holds the lease, the other is told who', async () => {
    const { id, client } = await sessionFor('two');
    for (let round = 0; round < ROUNDS; round += 1) {
      await clear(id);
      const answers = await both(
        round,
        () => requestByHttp(id, 'one', { do: 'take' }),
        () => requestBySocket(id, client),
      );
      const { holder } = fixture.inside(id).control('t1');

      expect(answers.filter(({ ok }) => ok)).toMatchObject([{ control: { holder } }]);
      expect(answers.filter(({ ok }) => !ok)).toMatchObject([
        { code: 'CONTROL_HELD', message: `${holder?.name ?? ''} has the wheel.` },
      ]);
    }
  }, 60_000);

  it('[CO3] a person takes from an agent, by a page and by its connection: it is taken once, and both have it', async () => {
    const id = await fixture.open('worker');
    const page = fixture.person();
    await ask(page, 'session.join', { session: id });
    const { epoch } = fixture.inside(id).control('t1');
    const [http, socket] = await Promise.all([fixture.control(id, { do: 'take' }), requestBySocket(id, page)]);
    const control = { state: 'held', holder: { name: 'Owner' }, takenFrom: { name: 'worker' }, epoch: epoch + 2 };

    expect([http, socket]).toMatchObject([
      { status: 200, body: control },
      { ok: true, control },
    ]);
    expect(await changes(id, 'took the wheel')).toBe(1);
  }, 60_000);

  it('[CO10][I3] one agent sends an action with one id: it is done once, and both doors give the one answer', async () => {
    const { id, client } = await sessionFor('one');
    for (let round = 0; round < ROUNDS; round += 1) {
      await clear(id);
      const action = { ...typing('once'), id: `round ${round}` };
      const [first, second] = await both(
        round,
        () => actByHttp(id, 'one', action),
        () => actBySocket(id, client, action),
      );

      expect([first?.ok, await look(id)]).toEqual([true, 'once']);
      expect(second).toEqual(first);
    }
  }, 60_000);

  it("[CO1][CO2] two agents act on a free tab: the holder's text is complete, the other wrote nothing", async () => {
    const { id, client } = await sessionFor('two');
    for (let round = 0; round < ROUNDS; round += 1) {
      await clear(id);
      const replies = await both(
        round,
        () => actByHttp(id, 'one', typing('aaaaaaaa')),
        () => actBySocket(id, client, typing('bbbbbbbb')),
      );
      const { holder } = fixture.inside(id).control('t1');

      expect(replies.map(({ error }) => error?.code ?? 'done').toSorted()).toEqual(['CONTROL_HELD', 'done']);
      expect(await look(id)).toBe(holder?.name === 'one' ? 'aaaaaaaa' : 'bbbbbbbb');
    }
  }, 60_000);

  it('[CO10][AC6] one agent sends two actions: both are done, one after the other', async () => {
    const { id, client } = await sessionFor('one');
    const replies = await both(
      0,
      () => actByHttp(id, 'one', typing('aaaaaaaa')),
      () => actBySocket(id, client, typing('bbbbbbbb')),
    );

    expect(replies.map(({ error }) => error)).toEqual([undefined, undefined]);
    expect(['aaaaaaaabbbbbbbb', 'bbbbbbbbaaaaaaaa']).toContain(await look(id));
  }, 60_000);

  it('[CO2][CO3] a person takes while the agent types by the other door: the field holds a beginning of its text, and nothing is added', async () => {
    const text = 'abcdefghijklmnopqrstuvwxyz'.repeat(8);
    const { id, client } = await sessionFor('worker');
    const [reply, taken] = await Promise.all([
      actBySocket(id, client, typing(text)),
      fixture.control(id, { do: 'take' }),
    ]);
    const then = await look(id);
    await fixture.control(id, { do: 'release' });
    await actByHttp(id, 'worker', typing('|'));

    expect([taken.status, text.startsWith(String(then)), await look(id)]).toEqual([200, true, `${String(then)}|`]);
    expect(['done', 'CONTROL_LOST', 'CONTROL_HELD']).toContain(reply.error?.code ?? 'done');
  }, 60_000);
});
