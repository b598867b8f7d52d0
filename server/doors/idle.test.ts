import { expect, it } from 'vitest';
import { z } from 'zod';
import { sessionSchema } from '@/lib/protocol/views';
import { startTestServer } from '@/server/testing/server';
import { signedInPerson } from '@/server/testing/people';
import { timingsWith } from '@/server/config/timings';

const shown = sessionSchema.pick({ id: true, idle: true });

it('[SE1] a session that nobody uses is about to end, and a person who only watches keeps it by one call', async () => {
  const server = await startTestServer({ timings: timingsWith({ idleWarningMs: 119_000 }) });
  const made = await server.api('POST', '/api/v1/sessions', { policy: { idleMs: 120_000 } });
  const { id } = shown.parse(made.body);
  const idle = async () => shown.parse((await server.api('GET', `/api/v1/sessions/${id}`)).body).idle;
  await expect.poll(async () => (await idle())?.endsInMs, { timeout: 10_000 }).toBeGreaterThan(100_000);
  const { headers } = await signedInPerson(server, 'viewer', 'Vera');
  const stayed = await fetch(`${server.origin}/api/v1/sessions/${id}/stay`, {
    method: 'POST',
    headers: { ...headers },
  });
  const { headers: admin } = await signedInPerson(server, 'admin', 'Mona');
  const narrowed = await fetch(`${server.origin}/api/v1/workspace`, {
    method: 'PATCH',
    headers: { ...admin, 'content-type': 'application/json' },
    body: JSON.stringify({ policy: { idleMs: 600_000 } }),
  });
  const unlimited = await server.api('POST', '/api/v1/sessions', {});
  const rows = await server.api('GET', `/api/v1/sessions/${id}/timeline?kind=session`);
  const short = await server.api('POST', '/api/v1/sessions', { policy: { idleMs: 1_000 } });
  await server.close();

  expect(shown.parse(await stayed.json()).idle).toEqual({ limitMs: 120_000 });
  expect(
    z
      .array(z.object({ text: z.string() }))
      .parse(rows.body)
      .map(({ text }) => text),
  ).toEqual(
    expect.arrayContaining([
      'Nothing happens in this session: it ends in 119 s unless somebody stays.',
      'kept the session from ending',
    ]),
  );
  expect(short.status).toBe(400);
  expect([await narrowed.json(), unlimited.body]).toMatchObject([
    { policy: { idleMs: 600_000 } },
    { idle: { limitMs: 600_000 } },
  ]);
});
