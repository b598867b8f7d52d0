import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { helpRequestSchema } from '@/lib/help/help-request';
import type { TestServer } from '@/server/testing/server';
import { useServerFixture } from '@/server/testing/server-fixture';

const fixture = useServerFixture('<title>Questions</title>');
const timedOut = z.object({
  error: z.object({ code: z.literal('TIMEOUT'), details: z.object({ question: helpRequestSchema }) }),
});

const route = (session: string, tab: string) => `/api/v1/sessions/${session}/tabs/${tab}/control`;

/** Asks, and disconnects before anybody answers; returns the id of the question. */
async function askAndLeave(server: TestServer, session: string, tab: string, reason: string): Promise<string> {
  const { body } = await server.api('POST', route(session, tab), { do: 'ask-human', reason, timeoutMs: 1_000 });
  return timedOut.parse(body).error.details.question.id;
}

async function answer(session: string, tab: string, given: object): Promise<number> {
  const headers = { ...fixture.owner, 'content-type': 'application/json' };
  return (
    await fetch(`${fixture.server.origin}${route(session, tab)}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ do: 'answer', ...given }),
    })
  ).status;
}

describe('a server that is started again', () => {
  it('[CO6] shows earlier questions for people to answer, and has the answers that no agent got yet', async () => {
    const { server: before } = fixture;
    const { id } = await before.session();
    const second = z
      .object({ id: z.string() })
      .parse((await before.api('POST', `/api/v1/sessions/${id}/tabs`, {})).body).id;
    const answered = await askAndLeave(before, id, 't1', 'Answered before');
    await answer(id, 't1', { question: answered, result: 'could-not' });
    const open = await askAndLeave(before, id, second, 'Still open');
    await fixture.restart();

    const { server } = fixture;
    const shown = await server.api('GET', route(id, second));
    const late = await server.api('POST', route(id, 't1'), { do: 'ask-human', question: answered });
    const again = server.api('POST', route(id, second), { do: 'ask-human', question: open, timeoutMs: 60_000 });
    const status = await answer(id, second, { question: open, result: 'done', note: 'Here' });
    const last = await again;
    const rows = await server.api('GET', `/api/v1/sessions/${id}/timeline?kind=control`);

    expect(shown.body).toMatchObject({ questions: [{ id: open, reason: 'Still open', state: 'open' }] });
    expect(late).toMatchObject({ status: 200, body: { question: { id: answered, answer: { result: 'could-not' } } } });
    expect([status, last]).toMatchObject([
      200,
      { status: 200, body: { question: { id: open, answer: { result: 'done', note: 'Here' } } } },
    ]);
    expect(JSON.stringify(rows.body)).toContain('done. “Here”');
  }, 60_000);
});
