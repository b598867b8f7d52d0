import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { monotonicClock } from '@/lib/budget/clock';
import { loadConfig } from '@/server/config/config';
import type { LogFields, Logger } from '@/server/telemetry/logger';
import { startMailServer, type MailServer } from '@/server/testing/mail-server';
import { Mail, type MailLimits } from './mail';

const QUICK: MailLimits = { attemptMs: 10_000, totalMs: 30_000, pausesMs: [1, 1], most: 3 };
const MESSAGE = {
  to: 'ada@example.com',
  subject: 'You are invited',
  text: 'Open https://wheel.example.com/invitation#x',
};

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const portOf = (server: Server): number => {
  const { port }: Partial<AddressInfo> = Object(server.address());
  return port ?? 0;
};

async function mailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const server = await startMailServer(options);
  ends.push(() => server.close());
  return server;
}

/** A server that does with each connection what it likes. */
async function hostileServer(treat: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    ends.push(() => socket.destroy());
    socket.on('error', () => undefined);
    treat(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => server.close());
  return portOf(server);
}

/** Sends by that server; `outcome` settles at the first log line with that outcome. */
function mailing(address: string, limits: MailLimits = QUICK) {
  const logged: LogFields[] = [];
  const waiting = new Map<unknown, (fields: LogFields) => void>();
  const keep = (fields: LogFields): void => {
    logged.push(fields);
    waiting.get(fields.outcome)?.(fields);
  };
  const logger: Logger = { debug: keep, info: keep, warn: keep, error: keep, child: () => logger };
  const config = loadConfig({ SMTP_URL: address, MAIL_FROM: 'Wheel <wheel@example.com>' }, { isRoot: false }).mail;
  if (!config) throw new Error('No mail server is set.');
  const mail = new Mail({ config, clock: monotonicClock, logger, limits });
  ends.push(() => mail.dispose());
  const outcome = (name: string): Promise<LogFields> => {
    const found = logged.find((fields) => fields.outcome === name);
    return found ? Promise.resolve(found) : new Promise((resolve) => waiting.set(name, resolve));
  };
  return { mail, logged, outcome };
}

describe('mails', () => {
  it('[AU2] arrive as plain text from MAIL_FROM; the caller does not wait', async () => {
    const { port, got } = await mailServer();
    const { mail, outcome } = mailing(`smtp://127.0.0.1:${port}`);
    mail.send('i_1', MESSAGE);
    expect(mail.stateOf('i_1')).toBe('sending');
    await outcome('sent');
    expect(mail.stateOf('i_1')).toBe('sent');
    expect(mail.trouble).toBeUndefined();
    expect(got.map(({ from, to, subject, text, html }) => [from?.text, to, subject, text?.trim(), html])).toEqual([
      [
        '"Wheel" <wheel@example.com>',
        expect.objectContaining({ text: MESSAGE.to }),
        ...[MESSAGE.subject, MESSAGE.text, false],
      ],
    ]);
    expect(got[0]?.headers.get('auto-submitted')).toBe('auto-generated');
  });

  it('[AU2] a subject and an address cannot add headers or recipients', async () => {
    const { port, got } = await mailServer();
    const { mail, outcome } = mailing(`smtp://127.0.0.1:${port}`);
    mail.send('i_1', { ...MESSAGE, subject: 'Hello\r\nBcc: eve@example.com\r\n\r\n<b>' });
    await outcome('sent');
    expect(got.map(({ bcc, text }) => [bcc, text?.trim()])).toEqual([[undefined, MESSAGE.text]]);
  });

  it('[AU2] the name and password of SMTP_URL are given to the server', async () => {
    const asked: unknown[] = [];
    const { port } = await mailServer({
      authOptional: false,
      onAuth: ({ username, password }, _session, done) => {
        asked.push([username, password]);
        done(null, { user: username });
      },
    });
    const { mail, outcome } = mailing(`smtp://ada%40x:p%25w@127.0.0.1:${port}`);
    mail.send('i_1', MESSAGE);
    await outcome('sent');
    expect(asked).toEqual([['ada@x', 'p%w']]);
  });

  it('[AU2] [R8] a wrong password fails at once, and is not repeated in log and warning', async () => {
    const { port } = await mailServer({
      authOptional: false,
      onAuth: (_auth, _session, done) => done(new Error('Who is that?')),
    });
    const { mail, logged, outcome } = mailing(`smtp://ada:hunter2@127.0.0.1:${port}`);
    mail.send('i_1', MESSAGE);
    await outcome('failed');
    expect(logged).toHaveLength(1);
    expect(mail.stateOf('i_1')).toBe('failed');
    expect(mail.trouble?.text).toMatch(
      /^Mails could not be sent by 127\.0\.0\.1 \(SMTP_URL\): .*Links are there to copy\.$/,
    );
    expect(JSON.stringify([logged, mail.trouble])).not.toContain('hunter2');
  });

  it('[AU2] a server that is down is tried again a bounded number of times; then the mail failed, with the reason', async () => {
    const { mail, logged, outcome } = mailing('smtp://127.0.0.1:1');
    mail.send('i_1', MESSAGE);
    await outcome('failed');
    expect(logged.map((fields) => fields.outcome)).toEqual(['retried', 'retried', 'failed']);
    expect(mail.trouble?.text).toContain('ECONNREFUSED');
  });

  it('[AU2] a server that refuses for the moment gets the mail later; what it refuses for good is not repeated', async () => {
    const answers = [450, 250, 550];
    const { port, got } = await mailServer({
      onRcptTo: (_address, _session, done) => {
        const responseCode = answers.shift() ?? 250;
        done(responseCode === 250 ? null : Object.assign(new Error('No.'), { responseCode }));
      },
    });
    const { mail, logged, outcome } = mailing(`smtp://127.0.0.1:${port}`);
    mail.send('i_1', MESSAGE);
    await outcome('sent');
    mail.send('i_2', MESSAGE);
    await outcome('failed');
    expect(logged.map((fields) => fields.outcome)).toEqual(['retried', 'sent', 'failed']);
    expect(got).toHaveLength(1);
    expect([mail.stateOf('i_1'), mail.stateOf('i_2')]).toEqual(['sent', 'failed']);
  });

  it('[AU2] a server that says nothing is given up in time, and holds up few mails', async () => {
    const port = await hostileServer(() => undefined);
    const { mail, outcome } = mailing(`smtp://127.0.0.1:${port}`, { ...QUICK, attemptMs: 300, pausesMs: [] });
    for (const id of ['i_1', 'i_2', 'i_3', 'i_4']) mail.send(id, MESSAGE);
    expect(mail.stateOf('i_4')).toBe('failed');
    expect(mail.trouble?.text).toContain('too many mails');
    await outcome('failed');
    await expect.poll(() => [1, 2, 3].map((n) => mail.stateOf(`i_${n}`))).toEqual(['failed', 'failed', 'failed']);
  });

  it('[AU2] a server that ends, answers nonsense, or answers without end fails alone', async () => {
    const flood = (socket: Socket): void => {
      const more = (): void => {
        while (!socket.destroyed && socket.write('220-'.padEnd(8_192, 'x')));
        socket.once('drain', more);
      };
      more();
    };
    const lines = (socket: Socket): void => {
      const more = (): void => {
        while (!socket.destroyed && socket.write('220-more\r\n'.repeat(1_000)));
        socket.once('drain', more);
      };
      more();
    };
    const treatments: ((socket: Socket) => void)[] = [
      (socket) => socket.end(),
      (socket) => socket.end('<html>\u202enever\0</html>\r\n'),
      (socket) => socket.end(`550 ${'<b>'.repeat(3_000)}\r\n`),
      flood,
      lines,
    ];
    for (const treat of treatments) {
      const { mail, outcome } = mailing(`smtp://127.0.0.1:${await hostileServer(treat)}`, { ...QUICK, pausesMs: [] });
      mail.send('i_1', MESSAGE);
      await outcome('failed');
      expect(mail.trouble?.text.length).toBeLessThan(400);
      expect(mail.trouble?.text).not.toMatch(/[\u202e\0]/);
    }
  });

  it('[AU2] a server that is left out in clear text gets no password', async () => {
    const said: string[] = [];
    const port = await hostileServer((socket) => {
      socket.write('220 mail\r\n');
      socket.on('data', (chunk: Buffer) => {
        said.push(chunk.toString());
        socket.write('250-mail\r\n250 AUTH PLAIN LOGIN\r\n');
      });
    });
    // Not a loopback address for SMTP_URL, but it leads here.
    const { mail, outcome } = mailing(`smtp://ada:hunter2@0.0.0.0:${port}`, { ...QUICK, pausesMs: [] });
    mail.send('i_1', MESSAGE);
    await outcome('failed');
    expect(said.join('')).toMatch(/STARTTLS/);
    expect(said.join('')).not.toMatch(/AUTH/);
  });
});
