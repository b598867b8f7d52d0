import { describe, expect, it } from 'vitest';
import { WheelhouseError } from '@/lib/errors/error';
import { Secret } from '@/server/config/secret';
import { createLogger, type Logger } from './logger';
import { requestId } from './request-id';

function caught(level: 'debug' | 'info' = 'debug'): { logger: Logger; lines: string[] } {
  const lines: string[] = [];
  return { logger: createLogger({ logLevel: level }, { write: (line: string) => lines.push(line) }), lines };
}

describe('the log', () => {
  it('[OP3] writes one JSON line with level, time, fields and sentence', () => {
    const { logger, lines } = caught();
    logger.child({ requestId: 'r_1' }).info({ route: '/healthz', status: 200 }, 'Answered.');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-/),
        requestId: 'r_1',
        route: '/healthz',
        status: 200,
        msg: 'Answered.',
      },
    ]);
  });

  it('[OP3] keeps to its level', () => {
    const { logger, lines } = caught('info');
    logger.debug({ what: 'x' }, 'Not this.');
    expect(lines).toEqual([]);
  });

  it('[T14] a field outside the list leaves only its name', () => {
    const { logger, lines } = caught();
    const fields = { session: 's_1', cookieJar: 'hunter2' };
    logger.warn(fields, 'Odd.');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ session: 's_1', dropped: ['cookieJar'] });
    expect(lines.join('')).not.toContain('hunter2');
  });

  const leaks: readonly (readonly [name: string, value: unknown])[] = [
    ['a Secret', new Secret('KEY', 'hunter2-hunter2-hunter2')],
    ['a bearer header in a text', 'sent Authorization: Bearer hunter2-hunter2-hunter2'],
    ['a key in a text', 'refused wh_hunter2-hunter2-hunter2-hunter2'],
    ['our cookie in a text', 'got wh_7400=hunter2-hunter2; other=1'],
    ['our TLS cookie in a text', 'got __Host-wh=hunter2-hunter2; other=1'],
    ['a sign-in link', 'GET /sign-in?token=hunter2-hunter2-hunter2 HTTP/1.1'],
    ['a share link', 'http://127.0.0.1/s/1#secret=hunter2-hunter2'],
    ['a CDP key', new URL('ws://127.0.0.1:7400/cdp/s_1?x=1&key=hunter2-hunter2')],
    ['a password in a URL', 'http://user:hunter2@host/'],
    [
      'headers',
      { authorization: 'Basic hunter2', Cookie: 'a=hunter2', 'x-api-key': 'hunter2', 'set-cookie': ['hunter2'] },
    ],
    ['a deep password', { a: { b: { password: 'hunter2' } } }],
    ['an error and its cause', new Error('x ?token=hunter2-hunter2', { cause: new Error('Bearer hunter2-hunter2') })],
    ['the details of an error', new WheelhouseError('INTERNAL', 'x', { cause: { apiKey: 'hunter2' } })],
    ['bytes', Buffer.from('hunter2')],
  ];

  it.each(leaks)('[T14] does not leak %s', (_name, value) => {
    const { logger, lines } = caught();
    logger.error({ error: value, url: value, reason: { nested: value } }, 'Failed.');
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain('hunter2');
  });

  it('[T14] is bounded and survives values that cannot be serialised', () => {
    const { logger, lines } = caught();
    const cycle: Record<string, unknown> = { big: 12n, call: () => 1 };
    cycle['self'] = cycle;
    logger.error(
      { error: cycle, output: 'x'.repeat(1_000_000), count: Array.from({ length: 10_000 }, (_, index) => index) },
      'Failed.',
    );
    expect(lines).toHaveLength(1);
    expect((lines[0] ?? '').length).toBeLessThan(10_000);
  });

  it('[T26] text cannot start a line of its own', () => {
    const { logger, lines } = caught();
    logger.info({ reason: 'a\n{"level":"info","msg":"forged"}' }, 'Noted.');
    expect(lines[0]?.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('request ids', () => {
  it('[DO1] keeps a safe id that the caller sent', () => {
    expect(requestId('job-17.a_B')).toBe('job-17.a_B');
  });

  it.each([undefined, '', 'x'.repeat(65), 'a b', 'a\nb', '<script>', ['a', 'b']])('[T26] %j is replaced', (offered) => {
    expect(requestId(offered)).toMatch(/^r_[A-Za-z0-9_-]{12}$/);
  });
});
