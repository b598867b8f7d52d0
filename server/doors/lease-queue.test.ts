import { HELP_REQUESTS } from '@/server/features/help/help-requests';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { receiptSchema } from '@/lib/actions/receipt';
import { helpRequestSchema } from '@/lib/help/help-request';
import { TEST_KEY } from '@/server/testing/server';
import { useServerFixture } from '@/server/testing/server-fixture';

/**
 * Agents that wait for the lease by `control/wait`: their waits, and the news that they have to get (CO5, CO6, CO7).
 */

const fixture = useServerFixture(
  '<!doctype html><meta charset="utf-8"><title>Wait</title><input id="field" aria-label="Field">',
);

const waited = z.object({
  state: z.string(),
  handoff: receiptSchema.optional(),
  answers: z.array(helpRequestSchema).optional(),
});
type Waited = z.infer<typeof waited>;
const failure = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    hint: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
});

const control = (id: string): string => `/api/v1/sessions/${id}/tabs/t1/control`;
const wait = (id: string, timeoutMs = 60_000) =>
  fixture.server.api('GET', `${control(id)}/wait?timeoutMs=${timeoutMs}`, undefined, { 'x-agent': 'worker' });
const got = async (answer: Promise<{ readonly body: unknown }>): Promise<Waited> => waited.parse((await answer).body);

/** A session whose lease a person took from an agent. */
async function taken(open = fixture.again): Promise<string> {
  const id = await open('worker');
  await fixture.server.act(id, { kind: 'press', key: 'Shift' }, 'worker');
  expect((await fixture.control(id, { do: 'take' })).status).toBe(200);
  return id;
}

/** Waits until the server has received all earlier requests. */
async function heard(id: string): Promise<void> {
  for (let call = 0; call < 3; call += 1) await fixture.server.api('GET', control(id));
}

const back = async (id: string, note: string): Promise<void> =>
  expect((await fixture.control(id, { do: 'hand-back', note })).status).toBe(200);

describe('control/wait', () => {
  it('[CO5] twice at once by one agent: both get the receipt, and its next reply has it once', async () => {
    const id = await taken();
    const waits = [wait(id), wait(id)];
    await heard(id);
    await back(id, 'yours');
    const [one, two] = await Promise.all(waits.map(got));
    const replies = [
      await fixture.server.act(id, { kind: 'none' }, 'worker'),
      await fixture.server.act(id, { kind: 'none' }, 'worker'),
    ];

    expect([one?.state, one?.handoff?.note]).toEqual(['held', 'yours']);
    expect(two).toEqual(one);
    expect(replies.map(({ handoff }) => handoff)).toEqual([one?.handoff, undefined]);
    expect(await got(wait(id))).not.toHaveProperty('handoff');
  }, 60_000);

  it('[CO5][F7] on a connection that dies, before the hand-back or after: the next wait has the receipt', async () => {
    const id = await taken();
    const line = new AbortController();
    const headers = { authorization: `Bearer ${TEST_KEY}`, 'x-agent': 'worker' };
    const dead = fetch(`${fixture.server.origin}${control(id)}/wait?timeoutMs=60000`, {
      headers,
      signal: line.signal,
    }).catch(() => 'cut off');
    await heard(id);
    line.abort();
    await back(id, 'first');
    // The wait is answered, but nobody reads the answer.
    await fetch(`${fixture.server.origin}${control(id)}/wait?timeoutMs=60000`, { headers });

    expect([await dead, (await got(wait(id))).handoff?.note]).toEqual(['cut off', 'first']);
  }, 60_000);

  it('[CO5][F7] after a reply that was lost with its connection has the receipt still, until the agent does something else', async () => {
    const id = await taken();
    await back(id, 'lost');
    const reply = await fixture.server.act(id, { kind: 'none', id: 'n1' }, 'worker');
    const again = await got(wait(id));
    await fixture.server.act(id, { kind: 'none', id: 'n2' }, 'worker');

    expect([reply.handoff?.note, again.handoff?.note, (await got(wait(id))).handoff]).toEqual([
      'lost',
      'lost',
      undefined,
    ]);
  }, 60_000);

  it('[BU4] that ran out of time names the holder of the lease and how to wait on', async () => {
    const id = await taken();
    const { status, body } = await wait(id, 100);

    expect([status, failure.parse(body).error]).toMatchObject([
      504,
      { code: 'TIMEOUT', message: 'Owner has the wheel.', details: { holder: { name: 'Owner' }, tab: 't1' } },
    ]);
    expect(failure.parse(body).error.hint).toContain('/tabs/t1/control/wait?timeoutMs=');
  }, 60_000);

  it('[SE1] of a session that ends, or of a tab that is closed, is answered then', async () => {
    const [ended, closed] = [await taken(fixture.open), await taken(fixture.open)];
    const waits = [wait(ended), wait(closed)];
    await heard(closed);
    const { owner, server } = fixture;
    // The only tab would go on with an empty page.
    const opened = await fetch(`${server.origin}/api/v1/sessions/${closed}/tabs`, {
      method: 'POST',
      headers: { ...owner, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(opened.status).toBe(201);
    for (const path of [ended, `${closed}/tabs/t1`])
      await fetch(`${server.origin}/api/v1/sessions/${path}`, { method: 'DELETE', headers: owner });
    const errors = (await Promise.all(waits)).map(({ status, body }) => [
      status,
      failure.parse(body).error.code,
      failure.parse(body).error.message,
    ]);

    expect(errors).toEqual([
      [404, 'NOT_FOUND', 'The session has ended.'],
      [404, 'TAB_NOT_FOUND', 'The tab is closed.'],
    ]);
  }, 60_000);
});

describe('an answer of a person', () => {
  it('[CO6][F7] to a call with a dead connection comes with control/wait, until the agent acts again', async () => {
    const id = await fixture.again('worker');
    const asking = fixture.server.api(
      'POST',
      control(id),
      { do: 'ask-human', reason: 'Which?', timeoutMs: 60_000 },
      { 'x-agent': 'worker' },
    );
    await expect.poll(() => HELP_REQUESTS.of(fixture.inside(id)).open('t1').length, { timeout: 20_000 }).toBe(1);
    await fixture.control(id, { do: 'answer', result: 'note', note: 'That' });
    const answered = await asking;
    const next = await got(wait(id));
    const reply = await fixture.server.act(id, { kind: 'none' }, 'worker');

    expect([answered.status, next.answers?.map(({ answer }) => answer?.note)]).toEqual([200, ['That']]);
    expect([reply.answers, (await got(wait(id))).answers]).toEqual([undefined, undefined]);
  }, 60_000);
});

describe('a server that stops', () => {
  it('[OP3][CO5][F12] answers waits for the lease or for a person at once; the next server has lease, question and receipt', async () => {
    const { server: first } = fixture;
    const id = await fixture.open();
    await first.act(id, { kind: 'press', key: 'Shift' });
    await fixture.control(id, { do: 'take' });
    const waits = [
      first.api('GET', `${control(id)}/wait?timeoutMs=120000`),
      first.api('POST', control(id), { do: 'ask-human', reason: 'Sure?', timeoutMs: 120_000 }),
    ];
    await expect
      .poll(async () => JSON.stringify((await first.api('GET', control(id))).body), { timeout: 20_000 })
      .toContain('Sure?');
    let late = false;
    const marker = setTimeout(() => (late = true), 30_000);
    await fixture.restart();
    const ends = (await Promise.all(waits)).map(({ body }) => failure.parse(body).error);
    clearTimeout(marker);

    const next = fixture.server.api('GET', `${control(id)}/wait?timeoutMs=60000`);
    const taken = await fixture.control(id, { do: 'take' });
    const given = await fixture.control(id, { do: 'hand-back', note: 'here' });
    const told = waited.parse((await next).body);

    expect([late, ends.map(({ code }) => code)]).toEqual([false, ['ABORTED', 'ABORTED']]);
    expect([taken.status, given.status, told.state]).toEqual([200, 200, 'held']);
    expect([told.handoff?.note, told.answers]).toMatchObject([
      'here',
      [{ reason: 'Sure?', answer: { result: 'done', note: 'here' } }],
    ]);
  }, 90_000);
});
