import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { monotonicClock } from '@/lib/budget/clock';
import { Secret } from '@/server/config/secret';
import type { Logger, LogFields } from '@/server/telemetry/logger';
import { checkAddress } from './dial';
import { Webhook, type WebhookLimits } from './webhook';

const SECRET = 'a secret of at least 24 characters';
const QUICK: WebhookLimits = { attemptMs: 20_000, totalMs: 60_000, pausesMs: [1, 1], most: 2 };

interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A server that answers each request with the next of these; `hang` never answers. The last one stays. */
async function receiver(...answers: readonly (number | 'hang')[]): Promise<{ url: URL; got: Got[] }> {
  const got: Got[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const answer = answers[Math.min(got.length, answers.length - 1)] ?? 200;
      got.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
      if (answer !== 'hang') response.writeHead(answer, { location: '/elsewhere' }).end('ignored');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return { url: new URL(`http://127.0.0.1:${isPort(address) ? address.port : 0}/hook?key=receiver-secret`), got };
}

const isPort = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === 'object' && address !== null;

/** A webhook with its counts and log. `outcome` settles when it has counted that outcome. */
function hook(url: URL, limits: WebhookLimits = QUICK) {
  const counted: string[] = [];
  const logged: LogFields[] = [];
  const waiting = new Map<string, () => void>();
  const keep = (fields: LogFields): void => void logged.push(fields);
  const logger: Logger = { debug: keep, info: keep, warn: keep, error: keep, child: () => logger };
  const webhook = (outcome: string): void => {
    counted.push(outcome);
    waiting.get(outcome)?.();
  };
  const made = new Webhook({
    url,
    secret: new Secret('WEBHOOK_SECRET', SECRET),
    clock: monotonicClock,
    logger,
    metrics: { webhook },
    limits,
  });
  ends.push(() => made.dispose());
  const outcome = (name: string): Promise<void> =>
    counted.includes(name) ? Promise.resolve() : new Promise((resolve) => waiting.set(name, resolve));
  return { webhook: made, counted, logged, outcome };
}

/** As the README tells a receiver to. */
function isSigned({ headers, body }: Got): boolean {
  const digest = createHmac('sha256', SECRET)
    .update(`${String(headers['x-wheelhouse-timestamp'])}.${body}`)
    .digest('hex');
  return headers['x-wheelhouse-signature'] === `v1=${digest}`;
}

describe('[CO6] the webhook', () => {
  it('is called once, with JSON that is signed together with its time', async () => {
    const { url, got } = await receiver(200);
    const { webhook, counted, outcome } = hook(url);
    webhook.tell({ type: 'question.asked', question: { reason: 'Ein Code, bitte: 密码' } });
    await outcome('delivered');

    expect(got.map(({ headers }) => [headers['content-type'], headers['x-wheelhouse-event']])).toEqual([
      ['application/json', 'question.asked'],
    ]);
    expect(got.map(({ body }): unknown => JSON.parse(body))).toMatchObject([
      {
        type: 'question.asked',
        id: got[0]?.headers['x-wheelhouse-delivery'],
        question: { reason: 'Ein Code, bitte: 密码' },
      },
    ]);
    expect([got.every(isSigned), got.some((each) => isSigned({ ...each, body: `${each.body} ` }))]).toEqual([
      true,
      false,
    ]);
    expect(counted).toEqual(['delivered']);
  });

  it('is called again after a 500, with the same delivery, until it accepts', async () => {
    const { url, got } = await receiver(500, 200);
    const { webhook, counted, outcome } = hook(url);
    webhook.tell({ type: 'question.asked' });
    await outcome('delivered');

    expect(counted).toEqual(['retried', 'delivered']);
    expect([
      got.length,
      new Set(got.map(({ headers }) => headers['x-wheelhouse-delivery'])).size,
      got.every(isSigned),
    ]).toEqual([2, 1, true]);
  });

  it('that does not answer is aborted at its time limit and called again; the caller does not wait', async () => {
    const { url, got } = await receiver('hang', 200);
    const { webhook, counted, outcome } = hook(url, { ...QUICK, attemptMs: 3_000 });
    webhook.tell({ type: 'question.asked' });
    expect([counted, got]).toEqual([[], []]);
    await outcome('delivered');
    expect(counted).toEqual(['retried', 'delivered']);
  });

  it('that never accepts is given up after a bounded number of attempts; log and metrics say so, without the secret parts of the address', async () => {
    const { url, got } = await receiver(503);
    const { webhook, counted, logged, outcome } = hook(url);
    webhook.tell({ type: 'question.asked' });
    await outcome('failed');

    expect(counted).toEqual(['retried', 'retried', 'retried', 'failed']);
    expect([got.length, logged.at(-1)]).toMatchObject([3, { host: url.host, attempt: 3, outcome: 'failed' }]);
    expect(JSON.stringify(logged)).not.toContain('receiver-secret');
  });

  it('is given up within its whole time, however many attempts are left', async () => {
    const { url, got } = await receiver('hang');
    const { webhook, counted, outcome } = hook(url, { ...QUICK, totalMs: 1_000 });
    webhook.tell({ type: 'question.asked' });
    await outcome('failed');
    expect(counted).toEqual(['failed']);
    expect(got.length).toBeLessThan(2);
  });

  it.each([404, 302])('answers %i: no further attempt, and no redirect is followed', async (status) => {
    const { url, got } = await receiver(status);
    const { webhook, counted, outcome } = hook(url);
    webhook.tell({ type: 'question.asked' });
    await outcome('failed');
    expect([counted, got.length]).toEqual([['failed'], 1]);
  });

  it('has few messages on their way at once: more are dropped and counted', async () => {
    const { url } = await receiver('hang');
    const { webhook, counted } = hook(url);
    for (const n of [1, 2, 3]) webhook.tell({ type: 'question.asked', n });
    expect(counted).toEqual(['dropped']);
  });

  it('[T2] never calls the metadata service of the machine, whoever configured it and in any spelling', async () => {
    for (const host of [
      '169.254.169.254',
      '[::ffff:169.254.169.254]',
      '[fd00:ec2::254]',
      '2852039166',
      '100.100.100.200',
      '168.63.129.16',
    ]) {
      const { webhook, counted, logged, outcome } = hook(new URL(`http://${host}/latest`));
      webhook.tell({ type: 'question.asked' });
      await outcome('failed');
      expect([counted, JSON.stringify(logged)]).toEqual([['failed'], expect.stringContaining('metadata')]);
    }
    for (const fine of ['127.0.0.1', '10.1.2.3', '::1', '93.184.216.34'])
      expect(() => checkAddress(fine)).not.toThrow();
  });
});
