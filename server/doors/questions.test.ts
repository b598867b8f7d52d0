import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { helpRequestSchema, type HelpRequestView } from '@/lib/help/help-request';
import { replySchema } from '@/lib/actions/reply';
import { sessionSchema } from '@/lib/protocol/views';
import { refOf } from '@/server/testing/server';
import { ask, type Client } from '@/server/testing/socket-client';
import { useServerFixture } from '@/server/testing/server-fixture';

const fixture = useServerFixture('<!doctype html><title>Door</title><h1>Door</h1><input aria-label="Code">');

const askedAnswer = z.object({
  state: z.string(),
  question: helpRequestSchema,
  handoff: z.object({ note: z.string().optional() }).optional(),
});
const failure = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.object({ question: z.unknown().optional() }).optional(),
  }),
});

/** An agent's question by HTTP; resolves when it is answered. */
const agentAsks = (session: string, body: object, agent = 'buyer') =>
  fixture.server.api(
    'POST',
    `/api/v1/sessions/${session}/tabs/active/control`,
    { do: 'ask-human', ...body },
    { 'x-agent': agent },
  );

/** Follows the session until it shows an open question. */
function questionShown(client: Client, session: string): Promise<HelpRequestView> {
  const seen = new Promise<HelpRequestView>((resolve) => {
    const look = (view: unknown): void => {
      const { id, tabs } = sessionSchema.parse(view);
      const [question] = id === session ? tabs.flatMap(({ control }) => control.questions ?? []) : [];
      if (question) resolve(question);
    };
    client.on('session.state', look);
    void ask(client, 'session.join', { session }).then((joined) => joined.ok && look(joined.data.session));
  });
  return seen;
}

async function controlRows(session: string): Promise<string[]> {
  const { body } = await fixture.server.api('GET', `/api/v1/sessions/${session}/timeline?kind=control`);
  return z
    .array(z.object({ actor: z.object({ name: z.string() }), text: z.string() }))
    .parse(body)
    .map(
      ({ actor, text }) =>
        `${actor.name.replace(/^.*buyer.*$/u, 'buyer')} ${text.replaceAll(/[^ ]*buyer[^ :]*/gu, 'buyer')}`,
    );
}

describe('[CO6] asking a person', () => {
  it("by HTTP: everybody sees the question and its element, a person answers without the lease, and the agent's call ends with the answer", async () => {
    const session = await fixture.again('buyer');
    const ref = refOf(await fixture.server.snapshot(session), 'textbox', 'Code');
    const shown = questionShown(fixture.person(), session);
    const call = agentAsks(session, {
      reason: 'A code\u202e was\nsent to a phone',
      instructions: 'Type it\ninto the field.',
      ref,
      timeoutMs: 60_000,
    });
    const question = await shown;
    const answered = await fixture.control(session, {
      do: 'answer',
      question: question.id,
      result: 'could-not',
      note: 'The phone is at home',
    });
    const { status, body } = await call;

    expect(question).toMatchObject({
      reason: 'A code was sent to a phone',
      instructions: 'Type it\ninto the field.',
      element: { ref, role: 'textbox', name: 'Code' },
      state: 'open',
      by: { kind: 'agent' },
    });
    expect(question.leftMs).toBeGreaterThan(800_000);
    expect(answered).toMatchObject({
      status: 200,
      body: { state: 'held', holder: { kind: 'agent' }, question: { state: 'answered' } },
    });
    expect([status, askedAnswer.parse(body).question]).toMatchObject([
      200,
      {
        id: question.id,
        state: 'answered',
        answer: { result: 'could-not', note: 'The phone is at home', by: { name: 'Owner', kind: 'human' } },
      },
    ]);
    expect((await controlRows(session)).slice(-2)).toEqual([
      'buyer asked for a person: “A code was sent to a phone”',
      'Owner answered buyer: could not do it. “The phone is at home”',
    ]);
    expect(
      (await fixture.server.api('GET', `/api/v1/sessions/${session}/tabs/active/control`)).body,
    ).not.toHaveProperty('questions');
  });

  it('by socket, asked and answered', async () => {
    const session = await fixture.again();
    const person = fixture.person();
    const shown = questionShown(person, session);
    const call = ask(fixture.agent('buyer'), 'control', {
      session,
      tab: 'active',
      do: 'ask-human',
      reason: 'Which size?',
      timeoutMs: 60_000,
    });
    const { id } = await shown;
    const answered = await ask(person, 'control', {
      session,
      tab: 'active',
      do: 'answer',
      question: id,
      result: 'note',
      note: 'Medium',
    });

    expect(answered).toMatchObject({ ok: true, data: { question: { id, state: 'answered' } } });
    expect(await call).toMatchObject({
      ok: true,
      data: { question: { id, state: 'answered', answer: { result: 'note', note: 'Medium' } } },
    });
  });

  it('a call that ran out of time leaves the question open: asked for by its id, it ends with the answer; a second question is refused meanwhile', async () => {
    const session = await fixture.again();
    const late = await agentAsks(session, { reason: 'Anybody?', timeoutMs: 1_000 });
    const { error } = failure.parse(late.body);
    const { id } = helpRequestSchema.parse(error.details?.question);
    const second = await agentAsks(session, { reason: 'Hello?' });
    const stranger = await agentAsks(session, { question: id, timeoutMs: 20_000 }, 'seller');
    const again = agentAsks(session, { question: id, timeoutMs: 60_000 });
    await fixture.control(session, { do: 'answer', result: 'done' });

    expect([late.status, error.code, error.message]).toEqual([
      504,
      'TIMEOUT',
      'No person has answered yet; the question stays open.',
    ]);
    expect(second).toMatchObject({
      status: 409,
      body: {
        error: {
          code: 'CONFLICT',
          hint: expect.stringContaining(`{"do":"ask-human","question":"${id}"}`),
          details: { question: id },
        },
      },
    });
    expect(stranger).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
    expect(await again).toMatchObject({ status: 200, body: { question: { id, answer: { result: 'done' } } } });
  });

  it('an answer that nobody waited for comes with control/wait, and once with the next reply', async () => {
    const session = await fixture.again('buyer');
    await agentAsks(session, { reason: 'Anybody?', timeoutMs: 1_000 });
    await fixture.control(session, { do: 'answer', result: 'done', note: 'Here' });
    const wait = await fixture.server.api(
      'GET',
      `/api/v1/sessions/${session}/tabs/active/control/wait?timeoutMs=5000`,
      undefined,
      { 'x-agent': 'buyer' },
    );
    const next = await fixture.server.act(session, { kind: 'none' }, 'buyer');
    const after = await fixture.server.act(session, { kind: 'none' }, 'buyer');

    expect(wait).toMatchObject({ status: 200, body: { answers: [{ answer: { result: 'done', note: 'Here' } }] } });
    expect(replySchema.parse(next).answers).toMatchObject([{ reason: 'Anybody?', answer: { note: 'Here' } }]);
    expect(after).not.toHaveProperty('answers');
  });

  it('a client that went away leaves it open too; its agent takes it back', async () => {
    const session = await fixture.again();
    const agent = fixture.agent('buyer');
    const shown = questionShown(fixture.person(), session);
    void ask(agent, 'control', { session, tab: 'active', do: 'ask-human', reason: 'Still there?', timeoutMs: 60_000 });
    const { id } = await shown;
    agent.disconnect();
    const back = await fixture.server.api(
      'POST',
      `/api/v1/sessions/${session}/tabs/active/control`,
      { do: 'answer', question: id, result: 'withdrawn' },
      { 'x-agent': 'buyer' },
    );
    const late = await fixture.control(session, { do: 'answer', question: id, result: 'done' });

    expect(back).toMatchObject({ status: 200, body: { question: { id, state: 'withdrawn' } } });
    expect(late).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', message: 'That question is no longer open.' } },
    });
    expect((await controlRows(session)).at(-1)).toBe('buyer no longer asks for a person');
  });

  it('two windows answer at the same moment: one counts, the other is told', async () => {
    const session = await fixture.again();
    const [one, two] = [fixture.person(), fixture.person()];
    const shown = questionShown(one, session);
    const call = agentAsks(session, { reason: 'Yes or no?', timeoutMs: 60_000 });
    const { id } = await shown;
    const answers = await Promise.all(
      [one, two].map((window, n) =>
        ask(window, 'control', {
          session,
          tab: 'active',
          do: 'answer',
          question: id,
          result: n === 0 ? 'done' : 'could-not',
        }),
      ),
    );
    const [won] = answers.filter(({ ok }) => ok);

    expect(answers.filter(({ ok }) => !ok)).toMatchObject([
      { error: { code: 'CONFLICT', message: 'Owner has answered already.' } },
    ]);
    const { question } = askedAnswer.parse((await call).body);
    expect(won).toMatchObject({ data: { question: { answer: question.answer } } });
  });

  it.each([
    [{}, 'done'],
    [{ result: 'could-not' }, 'could-not'],
  ])('a person who takes the lease to help answers by handing it back %j', async (said, result) => {
    const session = await fixture.again('buyer');
    await fixture.server.act(session, { kind: 'press', key: 'Shift' }, 'buyer');
    const shown = questionShown(fixture.person(), session);
    const call = agentAsks(session, { reason: 'Sign in, please', timeoutMs: 60_000 });
    await shown;
    await fixture.control(session, { do: 'take' });
    await fixture.control(session, { do: 'hand-back', note: 'As Mara', ...said });

    expect(await call).toMatchObject({
      status: 200,
      body: {
        state: 'held',
        holder: { kind: 'agent' },
        question: { answer: { result, note: 'As Mara' } },
        handoff: { note: 'As Mara' },
      },
    });
  });

  it('it expires at its own time, and the call says so', async () => {
    const session = await fixture.again();
    const { status, body } = await agentAsks(session, { reason: 'Quickly!', expiresInMs: 1_000, timeoutMs: 60_000 });
    expect([status, askedAnswer.parse(body).question.state]).toEqual([200, 'expired']);
    expect((await controlRows(session)).at(-1)).toBe('buyer got no answer from a person in time');
  });

  it('the element is checked when the question is asked: an unknown ref, one of a former page, one of a removed element', async () => {
    const session = await fixture.again('buyer');
    const ref = refOf(await fixture.server.snapshot(session), 'textbox', 'Code');
    const unknown = await agentAsks(session, { reason: 'This', ref: 'e9999' });
    await fixture.server.act(session, { kind: 'evaluate', fn: 'document.querySelector("input").remove()' }, 'buyer');
    const gone = await agentAsks(session, { reason: 'This', ref });
    await fixture.server.act(session, { kind: 'navigate', url: `${fixture.url}?other` }, 'buyer');
    const stale = await agentAsks(session, { reason: 'This', ref });
    expect([unknown, gone, stale].map(({ body }) => failure.parse(body).error.code)).toEqual([
      'REF_UNKNOWN',
      'NODE_GONE',
      'REF_STALE_DOCUMENT',
    ]);
  });

  it('a page behind a dialog does not prevent a question about an element of it', async () => {
    const session = await fixture.again('buyer');
    const ref = refOf(await fixture.server.snapshot(session), 'textbox', 'Code');
    await fixture.server.act(session, { kind: 'evaluate', fn: 'setTimeout(() => alert("Sure?")); 1' }, 'buyer');
    await fixture.server.act(session, { kind: 'wait', text: 'never', timeoutMs: 2_000 }, 'buyer');
    const asked = await agentAsks(session, { reason: 'Behind the dialog', ref, timeoutMs: 1_000 });
    expect(failure.parse(asked.body).error).toMatchObject({
      code: 'TIMEOUT',
      details: { question: { element: { ref } } },
    });
  });

  it('only agents ask, only people answer, and both must say something', async () => {
    const session = await fixture.again();
    const byPerson = await fixture.control(session, { do: 'ask-human', reason: 'Me?' });
    const empty = await agentAsks(session, { reason: ' \u200b ' });
    await agentAsks(session, { reason: 'Anybody?', timeoutMs: 1_000 });
    const byAgent = await fixture.server.api(
      'POST',
      `/api/v1/sessions/${session}/tabs/active/control`,
      { do: 'answer', result: 'done' },
      { 'x-agent': 'seller' },
    );
    const silent = await fixture.control(session, { do: 'answer' });
    const noWords = await fixture.control(session, { do: 'answer', result: 'note', note: ' ' });
    const codes = [byPerson, empty, byAgent, silent, noWords].map(
      ({ status, body }) => `${status} ${failure.parse(body).error.code}`,
    );
    expect(codes).toEqual(['403 FORBIDDEN', '400 BAD_REQUEST', '403 FORBIDDEN', '400 BAD_REQUEST', '400 BAD_REQUEST']);
  });

  it('closing the tab or ending the session ends the wait', async () => {
    const session = await fixture.open('buyer');
    await fixture.server.api('POST', `/api/v1/sessions/${session}/tabs`, {}, { 'x-agent': 'buyer' });
    const first = questionShown(fixture.person(), session);
    const closed = fixture.server.api(
      'POST',
      `/api/v1/sessions/${session}/tabs/t1/control`,
      { do: 'ask-human', reason: 'One', timeoutMs: 60_000 },
      { 'x-agent': 'buyer' },
    );
    await first;
    await fixture.server.api('DELETE', `/api/v1/sessions/${session}/tabs/t1`, undefined, { 'x-agent': 'buyer' });
    expect(await closed).toMatchObject({ status: 404, body: { error: { code: 'TAB_NOT_FOUND' } } });

    const second = questionShown(fixture.person(), session);
    const ended = agentAsks(session, { reason: 'Two', timeoutMs: 60_000 });
    await second;
    await fixture.server.api('DELETE', `/api/v1/sessions/${session}`);
    expect(await ended).toMatchObject({
      status: 404,
      body: { error: { code: 'NOT_FOUND', message: 'The session has ended.' } },
    });
  });
});
