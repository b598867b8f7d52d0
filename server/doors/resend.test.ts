import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseAction } from '@/lib/actions/parse';
import { replySchema, type Reply } from '@/lib/actions/reply';
import { monotonicClock } from '@/lib/budget/clock';
import type { TimelineEvent } from '@/lib/protocol/views';
import { everywhere } from '@/lib/rights/grants';
import { ask } from '@/server/testing/socket-client';
import { TEST_KEY } from '@/server/testing/server';
import { useServerFixture } from '@/server/testing/server-fixture';
import { performAction } from './perform';

/** An action whose sender is cut off in the middle of it (F7, BU2, CO10). */

const PAGE =
  '<!doctype html><meta charset="utf-8"><title>Resend</title><button id="b" onclick="window.clicks = (window.clicks ?? 0) + 1">Press</button>';
const fixture = useServerFixture(PAGE);

/** Presses, waits until the test lets it go on, and presses again. */
const HALVES = {
  kind: 'batch',
  actions: [
    { kind: 'click', selector: '#b' },
    { kind: 'wait', text: 'go on' },
    { kind: 'click', selector: '#b' },
  ],
  timeoutMs: 60_000,
};

let sentSoFar = 0;
/** The same with an id that no other test uses. */
const withId = () => ({ ...HALVES, id: `halves-${(sentSoFar += 1)}` });

interface Sent {
  /** Ends the connection, as a broken cable does for the client. */
  cut(): void;
  readonly reply: Promise<Reply | undefined>;
}
type Send = (session: string, action: object, key?: string) => Sent;

const byHttp: Send = (session, action, key = TEST_KEY) => {
  const line = new AbortController();
  const headers = { authorization: `Bearer ${key}`, 'x-agent': 'sender', 'content-type': 'application/json' };
  const call = fetch(`${fixture.server.origin}/api/v1/sessions/${session}/tabs/t1/act`, {
    method: 'POST',
    headers,
    body: JSON.stringify(action),
    signal: line.signal,
  });
  return {
    cut: () => line.abort(),
    reply: call.then(
      async (response) => replySchema.parse(await response.json()),
      () => undefined,
    ),
  };
};

const bySocket: Send = (session, action, key = TEST_KEY) => {
  const client = fixture.connect({ auth: { key, agent: 'sender' } });
  const gone = new Promise<undefined>((resolve) => client.on('disconnect', () => resolve(undefined)));
  const answer = ask(client, 'act', { session, tab: 't1', action }).then((ack) => (ack.ok ? ack.data : undefined));
  return { cut: () => client.io.engine.close(), reply: Promise.race([answer, gone]) };
};

/** Until the page has been pressed so often. */
const pressed = (session: string, times: number): Promise<void> =>
  expect.poll(() => clicks(session), { timeout: 20_000 }).toBe(times);
/** Asked beside everything else, on a line of its own. */
async function clicks(session: string): Promise<unknown> {
  const { tab } = fixture.inside(session).activeSessionTab();
  return (
    await tab.sessions.sentinel.send('Runtime.evaluate', { expression: 'window.clicks ?? 0', returnByValue: true })
  ).result.value;
}
async function goOn(session: string): Promise<void> {
  await fixture
    .inside(session)
    .activeSessionTab()
    .tab.sessions.sentinel.send('Runtime.evaluate', { expression: 'document.body.append("go on")' });
}

/** The server has heard that a connection ended: it answers another that came after. */
async function heard(session: string): Promise<void> {
  for (let call = 0; call < 3; call += 1)
    await fixture.server.api('GET', `/api/v1/sessions/${session}/tabs/t1/control`);
}

/** The last row of a session that a test was given. */
const begins = new Map<string, number>();

/** Rows of this test. */
async function batches(session: string): Promise<TimelineEvent[]> {
  const rows = await fixture.inside(session).timeline.events({ since: begins.get(session) ?? 0, limit: 200 });
  return rows.filter(({ kind }) => kind === 'batch' || kind === 'refused');
}
/** The outcome row of the action. */
const ended = (session: string): Promise<TimelineEvent> =>
  new Promise((resolve) =>
    fixture
      .inside(session)
      .timeline.onEvent.on((row) => row.kind === 'batch' && row.phase === 'outcome' && resolve(row)),
  );

/** A session with a free lease. */
async function opened(): Promise<string> {
  const id = await fixture.again();
  await fixture.server.api('POST', `/api/v1/sessions/${id}/tabs/t1/control`, { do: 'release' });
  const [last] = await fixture.inside(id).timeline.events({ limit: 1 });
  begins.set(id, last?.seq ?? 0);
  return id;
}

/** A session in which the action is half done and its sender is cut off. */
async function cutOff(send: Send, action: object, key?: string): Promise<string> {
  const id = await opened();
  const sent = send(id, action, key);
  await pressed(id, 1);
  sent.cut();
  await sent.reply;
  await heard(id);
  return id;
}

const summary = (rows: readonly TimelineEvent[]): unknown[] =>
  rows.map(({ phase, outcome, code }) => [phase, outcome, code]);
const ONCE = [
  ['intent', undefined, undefined],
  ['outcome', 'ok', undefined],
];

describe('an action with an id whose sender is cut off', () => {
  const ways: readonly [string, Send, Send][] = [
    ['HTTP, and HTTP', byHttp, byHttp],
    ['Socket.IO, and Socket.IO', bySocket, bySocket],
    ['HTTP, and Socket.IO', byHttp, bySocket],
    ['Socket.IO, and HTTP', bySocket, byHttp],
  ];
  for (const [name, first, second] of ways) {
    it(`[F7][CO10] when sent by ${name} again continues, is done once, and its one answer goes to the new caller`, async () => {
      const action = withId();
      const id = await cutOff(first, action);
      const again = second(id, { ...action, timeoutMs: 30_000 });
      const third = second(id, action);
      await heard(id);
      await goOn(id);
      const replies = await Promise.all([again.reply, third.reply]);
      const late = await second(id, action).reply;

      expect(replies.map((reply) => [reply?.ok, reply?.id])).toEqual([
        [true, action.id],
        [true, action.id],
      ]);
      expect([late, replies[1]]).toEqual([replies[0], replies[0]]);
      expect([await clicks(id), summary(await batches(id))]).toEqual([2, ONCE]);
    }, 60_000);
  }

  it('[F7] sent again with less time than it needs: the caller is told that it continues, without a row, and it continues', async () => {
    const action = withId();
    const id = await cutOff(byHttp, action);
    const hasty = await byHttp(id, { ...action, timeoutMs: 100 }).reply;
    const patient = byHttp(id, action);
    await heard(id);
    await goOn(id);

    expect(hasty?.error).toMatchObject({
      code: 'TIMEOUT',
      message: 'The action is still being carried out.',
      hint: expect.stringContaining('same id'),
    });
    expect([(await patient.reply)?.ok, await clicks(id), summary(await batches(id))]).toEqual([true, 2, ONCE]);
  }, 60_000);

  it('[CO10] another action under the same id is refused, and the first continues', async () => {
    const action = withId();
    const id = await cutOff(byHttp, action);
    const other = await byHttp(id, { kind: 'click', selector: '#b', id: action.id }).reply;
    await goOn(id);
    const again = await byHttp(id, action).reply;

    expect([other?.error?.code, other?.error?.retry, again?.ok, await clicks(id)]).toEqual(['CONFLICT', 'no', true, 2]);
  }, 60_000);

  it('[CO3][F7] ended by a takeover meanwhile: a caller that sends it again is told so, and nothing more happens', async () => {
    const action = withId();
    const id = await cutOff(byHttp, action);
    await fixture.control(id, { do: 'take' });
    await goOn(id);
    const again = await byHttp(id, action).reply;

    expect([again?.error?.code, await clicks(id)]).toEqual(['CONTROL_LOST', 1]);
  }, 60_000);

  it('[AU3] is ended at once when its key ends, although nobody waits for it', async () => {
    const made = z
      .object({ id: z.string(), key: z.string() })
      .parse((await fixture.server.api('POST', '/api/v1/keys', { name: 'short-lived', sessions: 'workspace' })).body);
    const id = await cutOff(bySocket, withId(), made.key);
    const row = ended(id);
    await fixture.server.api('DELETE', `/api/v1/keys/${made.id}`);

    expect(await row).toMatchObject({ outcome: 'failed', code: 'UNAUTHENTICATED' });
    await goOn(id);
    expect(await clicks(id)).toBe(1);
  }, 60_000);

  it('[AU3][CO10] sent twice at the same moment is one action: both callers get its answer when the sign-in ends', async () => {
    const id = await opened();
    const inside = fixture.inside(id);
    const { workspace } = fixture.server.running.services.access.owner;
    const credential = { kind: 'cookie', id: 'twice' } as const;
    const rights = everywhere(['watch', 'drive']);
    const principal = {
      kind: 'human',
      id: 'twice',
      name: 'Twice',
      person: 'twice',
      workspace,
      rights,
      rev: 0,
    } as const;
    const caller = { principal: { ...principal, expiresAt: undefined, credential }, door: 'ui' } as const;
    const action = parseAction({ ...withId(), timeoutMs: 8_000 });
    const replies = [1, 2].map(() => performAction(monotonicClock, inside, caller, 't1', action));
    await pressed(id, 1);
    inside.credentialEnded(credential);

    expect((await Promise.all(replies)).map(({ error }) => error?.code)).toEqual([
      'UNAUTHENTICATED',
      'UNAUTHENTICATED',
    ]);
    expect([await clicks(id), (await batches(id)).map(({ phase }) => phase)]).toEqual([1, ['intent', 'outcome']]);
  }, 60_000);

  it('[OP3][F7] is ended with the server; the next server answers so, and never does it again', async () => {
    const action = withId();
    const id = await cutOff(bySocket, action);
    await fixture.restart();
    const again = await byHttp(id, action).reply;

    expect([again?.error?.code, await clicks(id)]).toEqual(['ABORTED', 1]);
  }, 60_000);

  it('[CO5] takes no receipt with it that no caller receives', async () => {
    const id = await opened();
    await fixture.server.act(id, { kind: 'press', key: 'Shift' }, 'sender');
    await fixture.control(id, { do: 'take' });
    await fixture.control(id, { do: 'hand-back', note: 'yours' });
    const sent = byHttp(id, withId());
    await pressed(id, 1);
    sent.cut();
    await heard(id);
    const row = ended(id);
    await goOn(id);
    await row;
    const next = await byHttp(id, { kind: 'none' }).reply;

    expect(next?.handoff?.note).toBe('yours');
  }, 60_000);

  it('[CO5][CO6][F7] has the receipt and the answer of a person with it each time it is sent again, until its sender does something else', async () => {
    const id = await opened();
    await fixture.server.act(id, { kind: 'press', key: 'Shift' }, 'sender');
    await fixture.server.api(
      'POST',
      `/api/v1/sessions/${id}/tabs/t1/control`,
      { do: 'ask-human', reason: 'Which?', timeoutMs: 1_000 },
      { 'x-agent': 'sender' },
    );
    await fixture.control(id, { do: 'take' });
    await fixture.control(id, { do: 'answer', result: 'note', note: 'that' });
    await fixture.control(id, { do: 'hand-back', note: 'yours' });
    const action = withId();
    const first = byHttp(id, action).reply;
    await pressed(id, 1);
    // Both connections wait for the same answer: the server cannot know which of them is dead.
    const second = bySocket(id, action).reply;
    await heard(id);
    await goOn(id);
    const replies = [await first, await second, await byHttp(id, action).reply];
    const next = await byHttp(id, { kind: 'none', id: `next-${sentSoFar}` }).reply;
    const late = await byHttp(id, action).reply;

    const told = (reply: Reply | undefined): unknown => [
      reply?.ok,
      reply?.handoff?.note,
      reply?.answers?.map(({ answer }) => answer?.note),
    ];
    expect(replies.map(told)).toEqual(Array.from({ length: 3 }, () => [true, 'yours', ['that']]));
    expect([next, late].map(told)).toEqual(Array.from({ length: 2 }, () => [true, undefined, undefined]));
  }, 60_000);
});

describe('an action without an id whose sender is cut off', () => {
  for (const [name, send] of [
    ['HTTP', byHttp],
    ['Socket.IO', bySocket],
  ] as const) {
    it(`[BU2] by ${name} ends at once`, async () => {
      const id = await opened();
      const sent = send(id, HALVES);
      await pressed(id, 1);
      const row = ended(id);
      sent.cut();

      expect(await row).toMatchObject({ outcome: 'failed', code: 'ABORTED' });
      await goOn(id);
      expect(await clicks(id)).toBe(1);
    }, 60_000);
  }
});
