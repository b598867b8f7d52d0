import { expect, it } from 'vitest';
import { z } from 'zod';
import { receiptSchema } from '@/lib/actions/receipt';
import { startTestServer, type TestServer } from '@/server/testing/server';

const waited = z.object({ handoff: receiptSchema.optional() });

/** The owner's requests, as the interface sends them. */
async function person(server: TestServer, session: string, what: 'act' | 'control', body: object): Promise<number> {
  const headers = { cookie: await server.signIn(), origin: server.origin, 'content-type': 'application/json' };
  return (
    await fetch(`${server.origin}/api/v1/sessions/${session}/tabs/t1/${what}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
  ).status;
}

it('[CO5] a receipt that its agent has not got yet is kept over a restart of the server, until it is delivered; it marks work from before', async () => {
  const first = await startTestServer();
  const { id } = await first.session();
  const waits = `/api/v1/sessions/${id}/tabs/t1/control/wait?timeoutMs=20000`;
  await first.act(id, { kind: 'press', key: 'Shift' });
  const done = [
    await person(first, id, 'control', { do: 'take' }),
    await person(first, id, 'act', { kind: 'press', key: 'Escape' }),
    await person(first, id, 'control', { do: 'hand-back', note: 'solved' }),
  ];
  await first.close({ keepChrome: true, keepData: true });

  const second = await startTestServer({ dataDir: first.dataDir });
  const heard = waited.parse((await second.api('GET', waits)).body).handoff;
  const reply = await second.act(id, { kind: 'press', key: 'Shift' });
  const more = await second.act(id, { kind: 'press', key: 'Shift' });
  done.push(await person(second, id, 'control', { do: 'take' }));
  await second.close({ keepChrome: true, keepData: true });

  const third = await startTestServer({ dataDir: first.dataDir });
  done.push(
    await person(third, id, 'act', { kind: 'press', key: 'Tab' }),
    await person(third, id, 'control', { do: 'hand-back' }),
  );
  const last = waited.parse((await third.api('GET', waits)).body).handoff;
  await third.close();

  expect(done).toEqual([200, 200, 200, 200, 200, 200]);
  expect(heard).toMatchObject({ by: 'Owner', note: 'solved', actions: [{ step: 'press [Escape]' }] });
  expect([reply.handoff, more.handoff]).toEqual([heard, undefined]);
  expect(last).toMatchObject({
    actions: [{ step: 'press [Tab]' }],
    cut: expect.arrayContaining(['what was done before the server was started again']),
  });
  expect(last?.note).toBeUndefined();
}, 120_000);
