import { describe, expect, it } from 'vitest';
import { sessionSchema } from '@/lib/protocol/views';
import { useStand } from '@/server/testing/stand';

/** What an agent's actions meet while a person drives, by policy of the session (CO3). */

const PAGE = '<!doctype html><meta charset="utf-8"><title>Wait</title><input id="field" aria-label="Field">';

const stand = useStand(PAGE);

async function person(session: string, body: object): Promise<void> {
  expect((await stand.control(session, body)).status).toBe(200);
}

/** A session whose wheel a person took from the agent. */
async function taken(policy: object): Promise<string> {
  const { body } = await stand.server.api('POST', '/api/v1/sessions', { url: stand.url, policy });
  const { id } = sessionSchema.parse(body);
  await stand.server.act(id, { kind: 'press', key: 'Shift' });
  await person(id, { do: 'take' });
  return id;
}

/** Until so many rows say that an action was begun. */
async function intents(session: string, count: number): Promise<void> {
  for (;;) {
    const { body } = await stand.server.api('GET', `/api/v1/sessions/${session}/timeline?kind=type`);
    if (Array.isArray(body) && body.filter(({ phase }) => phase === 'intent').length >= count) return;
  }
}

describe('an action of an agent while a person drives', () => {
  it('[CO3] waits where the policy says so, and is done in the order of coming when the wheel is handed back, with the receipt', async () => {
    const id = await taken({ whenTaken: 'wait' });
    const replies = [];
    for (const [index, text] of ['one ', 'two ', 'three'].entries()) {
      replies.push(stand.server.act(id, { kind: 'type', selector: '#field', text, mode: 'append', timeoutMs: 60_000 }));
      await intents(id, index + 1);
    }
    await person(id, { do: 'hand-back', note: 'yours' });
    const done = await Promise.all(replies);
    const { value } = await stand.server.act(id, { kind: 'evaluate', fn: '() => document.querySelector("#field").value' });

    expect([done.map(({ error }) => error), value]).toEqual([[undefined, undefined, undefined], 'one two three']);
    expect(done.filter(({ handoff }) => handoff?.note === 'yours')).toHaveLength(1);
  }, 60_000);

  it('[CO3] is refused at its budget’s end as it would have been at once; reading never waits', async () => {
    const id = await taken({ whenTaken: 'wait' });
    const late = stand.server.act(id, { kind: 'type', selector: '#field', text: 'x', timeoutMs: 600 });
    const read = await stand.server.act(id, { kind: 'snapshot' });

    expect([read.error, (await late).error]).toMatchObject([undefined, { code: 'CONTROL_HELD', message: 'Owner has the wheel.' }]);
  }, 60_000);

  it('[CO3] that reaches beyond its tab waits for the wheel of every tab', async () => {
    const id = await taken({ whenTaken: 'wait' });
    const opening = stand.server.act(id, { kind: 'tab', do: 'open', timeoutMs: 60_000 });
    await person(id, { do: 'hand-back' });

    expect((await opening).error).toBeUndefined();
  }, 60_000);

  it('[CO3] is refused at once where the policy says so, or says nothing', async () => {
    const answers = [];
    for (const policy of [{}, { whenTaken: 'refuse' }]) {
      const id = await taken(policy);
      let late = false;
      const marker = setTimeout(() => (late = true), 30_000);
      const { error } = await stand.server.act(id, { kind: 'type', selector: '#field', text: 'x', timeoutMs: 60_000 });
      clearTimeout(marker);
      answers.push([error?.code, late]);
    }

    expect(answers).toEqual([['CONTROL_HELD', false], ['CONTROL_HELD', false]]);
  }, 90_000);
});
