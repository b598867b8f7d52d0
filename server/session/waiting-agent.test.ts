import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { replySchema, type Reply } from '@/lib/actions/reply';
import { sessionSchema } from '@/lib/protocol/views';
import { FaultyProxy } from '@/server/testing/faulty-proxy';
import { TEST_KEY } from '@/server/testing/server';
import { useServerFixture } from '@/server/testing/server-fixture';

/** What an agent's actions meet while a person drives, by policy of the session (CO3). */

const PAGE = '<!doctype html><meta charset="utf-8"><title>Wait</title><input id="field" aria-label="Field">';

const fixture = useServerFixture(PAGE);

async function person(session: string, body: object): Promise<void> {
  expect((await fixture.control(session, body)).status).toBe(200);
}

/** A session whose lease a person took from the agent. */
async function taken(policy: object): Promise<string> {
  const { body } = await fixture.server.api('POST', '/api/v1/sessions', { url: fixture.url, policy });
  const { id } = sessionSchema.parse(body);
  await fixture.server.act(id, { kind: 'press', key: 'Shift' });
  await person(id, { do: 'take' });
  return id;
}

/** Until so many rows say that an action was begun. */
async function intents(session: string, count: number): Promise<void> {
  for (;;) {
    const { body } = await fixture.server.api('GET', `/api/v1/sessions/${session}/timeline?kind=type`);
    if (Array.isArray(body) && body.filter(({ phase }) => phase === 'intent').length >= count) return;
  }
}

/**
 * Sends actions one after the other without waiting for what they come to, as fast as may be; gives the replies, each
 * under way.
 */
async function queued(origin: string, id: string, actions: readonly object[]): Promise<Promise<Reply>[]> {
  const send = (action: object): Promise<Reply> =>
    new Promise((resolve, reject) => {
      // The server answers to its own name only.
      const headers = {
        authorization: `Bearer ${TEST_KEY}`,
        'content-type': 'application/json',
        host: new URL(fixture.server.origin).host,
      };
      const sent = request(
        `${origin}/api/v1/sessions/${id}/tabs/t1/act`,
        { method: 'POST', headers, agent: false },
        (response) =>
          void json(response)
            .then((body) => resolve(replySchema.parse(body)))
            .catch(reject),
      );
      sent.on('error', reject).end(JSON.stringify(action));
    });
  const replies: Promise<Reply>[] = [];
  for (const action of actions) {
    for (let admitted = false; !admitted;) {
      let off = (): void => undefined;
      const begun = new Promise<undefined>((resolve) => {
        off = fixture.inside(id).timeline.onEvent.on(({ phase }) => phase === 'intent' && resolve(undefined));
      });
      const reply = send(action);
      const early = await Promise.race([begun, reply]);
      off();
      if (early?.error?.code === 'RATE_LIMITED') await after(retrySchema.parse(early.error.details).retryInMs);
      else admitted = replies.push(reply) > 0;
    }
  }
  return replies;
}
const retrySchema = z.object({ retryInMs: z.number() });

async function field(id: string): Promise<unknown> {
  return (
    await fixture.inside(id).activeSessionTab().tab.sessions.sentinel.send('Runtime.evaluate', {
      expression: 'document.querySelector("#field").value',
      returnByValue: true,
    })
  ).result.value;
}

describe('an action of an agent while a person drives', () => {
  it("[CO3][CO10][I3][F23] waits with forty-nine others while its agent is asleep: each is done once, in order, after the person's actions, and reported when the agent wakes", async () => {
    const id = await taken({ whenTaken: 'wait' });
    const cable = await FaultyProxy.open(fixture.server.origin);
    const words = Array.from({ length: 50 }, (_, index) => `${index} `);
    const actions = words.map((text, index) => ({
      kind: 'type',
      selector: '#field',
      text,
      mode: 'append',
      id: `w${index}`,
      timeoutMs: 110_000,
    }));
    const replies = await queued(cable.origin, id, actions);
    const [tooMany] = await Promise.all(
      await queued(fixture.server.origin, id, [{ kind: 'press', key: 'Shift', timeoutMs: 60_000 }]),
    );
    cable.sleep();
    const typed = await fetch(`${fixture.server.origin}/api/v1/sessions/${id}/tabs/t1/act`, {
      method: 'POST',
      headers: { ...fixture.owner, 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'type', selector: '#field', text: 'person ' }),
    });
    await person(id, { do: 'hand-back', note: 'yours' });
    await expect.poll(() => field(id), { timeout: 60_000 }).toBe(`person ${words.join('')}`);
    cable.wake();
    const done = await Promise.all(replies);
    const again = replySchema.parse(
      (await fixture.server.api('POST', `/api/v1/sessions/${id}/tabs/t1/act`, actions[7])).body,
    );
    cable.close();

    expect([
      typed.status,
      done.map(({ error }) => error),
      done.filter(({ handoff }) => handoff?.note === 'yours').length,
    ]).toEqual([200, words.map(() => undefined), 1]);
    expect([tooMany?.error?.code, again.startedAt, await field(id)]).toEqual([
      'CONTROL_HELD',
      done[7]?.startedAt,
      `person ${words.join('')}`,
    ]);
  }, 120_000);

  it('[CO3] waits where the policy says so, and is done in order of arrival when the lease is handed back, with the receipt', async () => {
    const id = await taken({ whenTaken: 'wait' });
    const replies = [];
    for (const [index, text] of ['one ', 'two ', 'three'].entries()) {
      replies.push(
        fixture.server.act(id, { kind: 'type', selector: '#field', text, mode: 'append', timeoutMs: 60_000 }),
      );
      await intents(id, index + 1);
    }
    await person(id, { do: 'hand-back', note: 'yours' });
    const done = await Promise.all(replies);
    const { value } = await fixture.server.act(id, {
      kind: 'evaluate',
      fn: '() => document.querySelector("#field").value',
    });

    expect([done.map(({ error }) => error), value]).toEqual([[undefined, undefined, undefined], 'one two three']);
    expect(done.filter(({ handoff }) => handoff?.note === 'yours')).toHaveLength(1);
  }, 60_000);

  it('[CO3] is refused at its budget’s end as it would have been at once; reading never waits', async () => {
    const id = await taken({ whenTaken: 'wait' });
    const late = fixture.server.act(id, { kind: 'type', selector: '#field', text: 'x', timeoutMs: 600 });
    const read = await fixture.server.act(id, { kind: 'snapshot' });

    expect([read.error, (await late).error]).toMatchObject([
      undefined,
      { code: 'CONTROL_HELD', message: 'Owner has the wheel.' },
    ]);
  }, 60_000);

  it('[CO3] that reaches beyond its tab waits for the lease of every tab', async () => {
    const id = await taken({ whenTaken: 'wait' });
    const opening = fixture.server.act(id, { kind: 'tab', do: 'open', timeoutMs: 60_000 });
    await person(id, { do: 'hand-back' });

    expect((await opening).error).toBeUndefined();
  }, 60_000);

  it('[CO3] is refused at once where the policy says so, or is not set', async () => {
    const answers = [];
    for (const policy of [{}, { whenTaken: 'refuse' }]) {
      const id = await taken(policy);
      let late = false;
      const marker = setTimeout(() => (late = true), 30_000);
      const { error } = await fixture.server.act(id, {
        kind: 'type',
        selector: '#field',
        text: 'x',
        timeoutMs: 60_000,
      });
      clearTimeout(marker);
      answers.push([error?.code, late]);
    }

    expect(answers).toEqual([
      ['CONTROL_HELD', false],
      ['CONTROL_HELD', false],
    ]);
  }, 90_000);
});
