import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessionSchema } from '@/lib/protocol/views';
import { startTestServer, type TestServer } from '@/server/testing/server';
import { serveHtml } from '@/server/testing/stage';

/** What an agent's actions meet while a person drives, by policy of the session (CO3). */

const PAGE = '<!doctype html><meta charset="utf-8"><title>Wait</title><input id="field" aria-label="Field">';

let server: TestServer;
let page: Awaited<ReturnType<typeof serveHtml>>;
let cookie: string;
beforeAll(async () => {
  server = await startTestServer();
  page = await serveHtml(PAGE);
  cookie = await server.signIn();
});
afterAll(async () => {
  page.close();
  await server.close();
});

async function person(session: string, body: object): Promise<void> {
  const headers = { cookie, origin: server.origin, 'content-type': 'application/json' };
  const response = await fetch(`${server.origin}/api/v1/sessions/${session}/tabs/t1/control`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.status).toBe(200);
}

/** A session whose wheel a person took from the agent. */
async function taken(policy: object): Promise<string> {
  const { body } = await server.api('POST', '/api/v1/sessions', { url: `http://127.0.0.1:${page.port}/`, policy });
  const { id } = sessionSchema.parse(body);
  await server.act(id, { kind: 'press', key: 'Shift' });
  await person(id, { do: 'take' });
  return id;
}

/** Until so many rows say that an action was begun. */
async function intents(session: string, count: number): Promise<void> {
  for (;;) {
    const { body } = await server.api('GET', `/api/v1/sessions/${session}/timeline?kind=type`);
    if (Array.isArray(body) && body.filter(({ phase }) => phase === 'intent').length >= count) return;
  }
}

describe('an action of an agent while a person drives', () => {
  it('[CO3] waits where the policy says so, and is done in the order of coming when the wheel is handed back, with the receipt', async () => {
    const id = await taken({ whenTaken: 'wait' });
    const replies = [];
    for (const [index, text] of ['one ', 'two ', 'three'].entries()) {
      replies.push(server.act(id, { kind: 'type', selector: '#field', text, mode: 'append', timeoutMs: 60_000 }));
      await intents(id, index + 1);
    }
    await person(id, { do: 'hand-back', note: 'yours' });
    const done = await Promise.all(replies);
    const { value } = await server.act(id, { kind: 'evaluate', fn: '() => document.querySelector("#field").value' });

    expect([done.map(({ error }) => error), value]).toEqual([[undefined, undefined, undefined], 'one two three']);
    expect(done.filter(({ handoff }) => handoff?.note === 'yours')).toHaveLength(1);
  }, 60_000);

  it('[CO3] is refused at its budget’s end as it would have been at once; reading never waits', async () => {
    const id = await taken({ whenTaken: 'wait' });
    const late = server.act(id, { kind: 'type', selector: '#field', text: 'x', timeoutMs: 600 });
    const read = await server.act(id, { kind: 'snapshot' });

    expect([read.error, (await late).error]).toMatchObject([undefined, { code: 'CONTROL_HELD', message: 'Owner has the wheel.' }]);
  }, 60_000);

  it('[CO3] that reaches beyond its tab waits for the wheel of every tab', async () => {
    const id = await taken({ whenTaken: 'wait' });
    const opening = server.act(id, { kind: 'tab', do: 'open', timeoutMs: 60_000 });
    await person(id, { do: 'hand-back' });

    expect((await opening).error).toBeUndefined();
  }, 60_000);

  it('[CO3] is refused at once where the policy says so, or says nothing', async () => {
    const answers = [];
    for (const policy of [{}, { whenTaken: 'refuse' }]) {
      const id = await taken(policy);
      let late = false;
      const marker = setTimeout(() => (late = true), 30_000);
      const { error } = await server.act(id, { kind: 'type', selector: '#field', text: 'x', timeoutMs: 60_000 });
      clearTimeout(marker);
      answers.push([error?.code, late]);
    }

    expect(answers).toEqual([['CONTROL_HELD', false], ['CONTROL_HELD', false]]);
  }, 90_000);
});
