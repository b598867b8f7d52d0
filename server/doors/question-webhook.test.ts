import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { refOf, sharedTestServer } from '@/server/testing/server';
import { serveHtml } from '@/server/testing/page-fixture';

const SECRET = 'the-secret-of-this-very-webhook';

const message = z.object({
  type: z.string(),
  link: z.string(),
  session: z.object({ id: z.string(), name: z.string() }),
  question: z.record(z.string(), z.unknown()),
});

it('[CO6] the webhook gets a question and its answer, signed, without page text', async () => {
  const got: { type: string; body: string; signed: boolean }[] = [];
  let told = (): void => undefined;
  const receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => {
      const {
        'x-wheelhouse-timestamp': at,
        'x-wheelhouse-signature': given,
        'x-wheelhouse-event': type,
      } = request.headers;
      got.push({
        type: String(type),
        body,
        signed:
          given ===
          `v1=${createHmac('sha256', SECRET)
            .update(`${String(at)}.${body}`)
            .digest('hex')}`,
      });
      response.end();
      told();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const address = receiver.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const page = await serveHtml(
    '<!doctype html><title>Secret title</title><input aria-label="Secret label"><input type="password" id="word">',
  );
  const server = await sharedTestServer({
    env: { WEBHOOK_URL: `http://127.0.0.1:${port}/hook`, WEBHOOK_SECRET: SECRET },
  });
  const until = (count: number): Promise<void> =>
    new Promise((resolve) => {
      told = () => got.length >= count && resolve();
      told();
    });

  const { id } = await server.session(`http://127.0.0.1:${page.port}/?token=secret-token`);
  const ref = refOf(await server.snapshot(id), 'textbox', 'Secret label');
  await server.act(id, { kind: 'type', selector: '#word', text: 'wombat31polka' });
  const control = `/api/v1/sessions/${id}/tabs/active/control`;
  await server.api('POST', control, {
    do: 'ask-human',
    reason: 'See https://a.example/?token=secret-token, it is wombat31polka',
    ref,
    timeoutMs: 5_000,
    expiresInMs: 1_000,
  });
  await until(2);
  const metrics = await server.running.services.metrics.totals();
  await server.close();
  receiver.close();
  receiver.closeAllConnections();
  page.close();

  const messages = got
    .map(({ body }) => message.parse(JSON.parse(body)))
    .toSorted((a, b) => a.type.localeCompare(b.type));
  expect(messages).toMatchObject([
    {
      type: 'question.asked',
      session: { id },
      link: `${server.origin}/sessions/${id}`,
      question: { state: 'open', expiresInMs: 1_000 },
    },
    { type: 'question.closed', session: { id }, question: { state: 'expired' } },
  ]);
  expect(got.every(({ signed }) => signed)).toBe(true);
  expect(JSON.stringify(got)).not.toMatch(/secret-token|wombat31|Secret (?:title|label)/u);
  expect(metrics).toHaveProperty('wheelhouse_webhook_messages_total');
}, 60_000);
