import { expect, it } from 'vitest';
import { z } from 'zod';
import { receiptSchema } from '@/lib/actions/receipt';
import { useServerFixture } from '@/server/testing/server-fixture';

const fixture = useServerFixture('<title>Receipt</title>');
const waited = z.object({ handoff: receiptSchema.optional() });

/** The owner's requests, as the interface sends them. */
async function person(session: string, what: 'act' | 'control', body: object): Promise<number> {
  const headers = { ...fixture.owner, 'content-type': 'application/json' };
  return (
    await fetch(`${fixture.server.origin}/api/v1/sessions/${session}/tabs/t1/${what}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
  ).status;
}

it('[CO5] a receipt that its agent has not got yet is kept over a restart of the server, until it is delivered; it marks work from before', async () => {
  const { server: first } = fixture;
  const { id } = await first.session();
  const waits = `/api/v1/sessions/${id}/tabs/t1/control/wait?timeoutMs=20000`;
  await first.act(id, { kind: 'press', key: 'Shift' });
  const done = [
    await person(id, 'control', { do: 'take' }),
    await person(id, 'act', { kind: 'press', key: 'Escape' }),
    await person(id, 'control', { do: 'hand-back', note: 'solved' }),
  ];
  await fixture.restart();

  const { server: second } = fixture;
  const heard = waited.parse((await second.api('GET', waits)).body).handoff;
  const reply = await second.act(id, { kind: 'press', key: 'Shift' });
  const more = await second.act(id, { kind: 'press', key: 'Shift' });
  done.push(await person(id, 'control', { do: 'take' }));
  await fixture.restart();

  done.push(await person(id, 'act', { kind: 'press', key: 'Tab' }), await person(id, 'control', { do: 'hand-back' }));
  const last = waited.parse((await fixture.server.api('GET', waits)).body).handoff;

  expect(done).toEqual([200, 200, 200, 200, 200, 200]);
  expect(heard).toMatchObject({ by: 'Owner', note: 'solved', actions: [{ step: 'press [Escape]' }] });
  expect([reply.handoff, more.handoff]).toEqual([heard, undefined]);
  expect(last).toMatchObject({
    actions: [{ step: 'press [Tab]' }],
    cut: expect.arrayContaining(['what was done before the server was started again']),
  });
  expect(last?.note).toBeUndefined();
}, 120_000);
