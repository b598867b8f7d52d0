import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { helpRequestSchema } from '@/lib/help/help-request';
import { startTestServer, type TestServer } from '@/server/testing/server';

const timedOut = z.object({
  error: z.object({ code: z.literal('TIMEOUT'), details: z.object({ question: helpRequestSchema }) }),
});

const route = (session: string, tab: string) => `/api/v1/sessions/${session}/tabs/${tab}/control`;

/** Asks, and disconnects before anybody answers; returns the id of the question. */
async function askAndLeave(server: TestServer, session: string, tab: string, reason: string): Promise<string> {
  const { body } = await server.api('POST', route(session, tab), { do: 'ask-human', reason, timeoutMs: 1_000 });
  return timedOut.parse(body).error.details.question.id;
}

async function answer(server: TestServer, session: string, tab: string, question: string): Promise<number> {
  const headers = { cookie: await server.signIn(), origin: server.origin, 'content-type': 'application/json' };
  return (
    await fetch(`${server.origin}${route(session, tab)}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ do: 'answer', question, result: 'done', note: 'Here' }),
    })
  ).status;
}

describe('a server that is started again', () => {
  it('[CO6] shows earlier questions for people to answer, and has the answers that no agent got yet', async () => {
    const before = await startTestServer();
    const { id } = await before.session();
    const second = z
      .object({ id: z.string() })
      .parse((await before.api('POST', `/api/v1/sessions/${id}/tabs`, {})).body).id;
    const answered = await askAndLeave(before, id, 't1', 'Answered before');
    await fetch(`${before.origin}${route(id, 't1')}`, {
      method: 'POST',
      headers: { cookie: await before.signIn(), origin: before.origin, 'content-type': 'application/json' },
      body: JSON.stringify({ do: 'answer', question: answered, result: 'could-not' }),
    });
    const open = await askAndLeave(before, id, second, 'Still open');
    await before.close({ keepChrome: true, keepData: true });

    const server = await startTestServer({ dataDir: before.dataDir });
    const shown = await server.api('GET', route(id, second));
    const late = await server.api('POST', route(id, 't1'), { do: 'ask-human', question: answered });
    const again = server.api('POST', route(id, second), { do: 'ask-human', question: open, timeoutMs: 60_000 });
    const status = await answer(server, id, second, open);
    const last = await again;
    const rows = await server.api('GET', `/api/v1/sessions/${id}/timeline?kind=control`);
    await server.close();

    expect(shown.body).toMatchObject({ questions: [{ id: open, reason: 'Still open', state: 'open' }] });
    expect(late).toMatchObject({ status: 200, body: { question: { id: answered, answer: { result: 'could-not' } } } });
    expect([status, last]).toMatchObject([
      200,
      { status: 200, body: { question: { id: open, answer: { result: 'done', note: 'Here' } } } },
    ]);
    expect(JSON.stringify(rows.body)).toContain('done. “Here”');
  }, 60_000);
});
