import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WheelhouseError } from '@/lib/errors/error';
import { configTable, loadConfig, type Environment } from './config';
import { limitsTable, NORMAL_LIMITS, SETTABLE } from './limits';
import { VARIABLES } from './variables';

const load = (env: Environment, isRoot = false) => loadConfig(env, { isRoot });

function refusal(env: Environment): string {
  try {
    load(env);
  } catch (thrown) {
    if (thrown instanceof WheelhouseError) return thrown.message;
    throw thrown;
  }
  return 'accepted';
}

describe('settings', () => {
  it('[OP1] an empty environment is a complete local set-up', () => {
    expect(load({})).toEqual({
      mode: 'production',
      host: '127.0.0.1',
      port: 7400,
      publicUrl: undefined,
      tls: undefined,
      trustedHops: 0,
      dataDir: resolve('.data'),
      apiKey: undefined,
      chrome: { path: undefined, args: [], cdpUrl: undefined, environment: {}, headless: true, noSandbox: false },
      logLevel: 'warn',
      agentIdleMs: 600_000,
      snapshotMemoryBytes: 268_435_456,
      limits: NORMAL_LIMITS,
      pictureBytes: 33_554_432,
      searchEngines: new Map(),
      passwordSignIn: true,
      warnings: [],
    });
  });

  it('[OP1] an empty value counts as not set, for every variable', () => {
    const empty = Object.fromEntries(VARIABLES.map(({ name }) => [name, '']));
    expect(load(empty)).toEqual(load({}));
  });

  it('[OP1] every variable is read', () => {
    const config = load({
      PORT: '0',
      HOST: '[::1]',
      DATA_DIR: '/srv/wheel',
      WHEELHOUSE_API_KEY: 'k'.repeat(24),
      CHROME_PATH: '/usr/bin/chromium',
      CHROME_ARGS: `--lang=de --user-agent="My Bot"`,
      CHROME_CDP_URL: 'http://127.0.0.1:9222',
      PUBLIC_URL: 'https://wheel.example.com/',
      TLS_CERT: '/etc/wheel/cert.pem',
      TLS_KEY: 'key.pem',
      TRUSTED_HOPS: '2',
      LOG_LEVEL: 'debug',
      HEADLESS: 'No',
      CHROME_NO_SANDBOX: '1',
      AGENT_IDLE_MS: '1000',
      SNAPSHOT_MEMORY_MB: '8',
      TIMELINE_PICTURES_MB: '0',
      LIMITS: 'sockets=100, sessions-server=7',
      SEARCH_URL: 'web=https://a.test/?q=%s',
      NODE_ENV: 'development',
    });
    expect({ ...config, apiKey: config.apiKey?.reveal(), warnings: config.warnings.length }).toEqual({
      mode: 'development',
      host: '::1',
      port: 0,
      publicUrl: new URL('https://wheel.example.com'),
      tls: { cert: '/etc/wheel/cert.pem', key: resolve('key.pem') },
      trustedHops: 2,
      dataDir: '/srv/wheel',
      apiKey: 'k'.repeat(24),
      chrome: {
        path: '/usr/bin/chromium',
        args: ['--lang=de', '--user-agent=My Bot'],
        cdpUrl: new URL('http://127.0.0.1:9222'),
        environment: {},
        headless: false,
        noSandbox: true,
      },
      logLevel: 'debug',
      agentIdleMs: 1_000,
      snapshotMemoryBytes: 8_388_608,
      limits: { ...NORMAL_LIMITS, sockets: 100, 'sessions-server': 7 },
      pictureBytes: 0,
      searchEngines: new Map([['web', 'https://a.test/?q=%s']]),
      passwordSignIn: true,
      warnings: 1,
    });
  });

  const wrong: readonly (readonly [name: string, values: readonly string[]])[] = [
    ['SEARCH_URL', ['search.example', 'https://a.test/', 'file:///%s']],
    ['PORT', ['abc', '-1', '65536', '7400.5', '1e3', ' ', '0x10', '9999999999999']],
    ['HOST', ['example.com', '127.0.0.1.evil.com', 'localhost.evil.com', '127.999.1.1', '1.2.3', '*', '0.0.0.0:80']],
    ['DATA_DIR', ['a\0b', 'x'.repeat(1_001)]],
    ['WHEELHOUSE_API_KEY', ['short', 'k'.repeat(23), `${'k'.repeat(30)} x`, `${'k'.repeat(30)}ü`, 'k'.repeat(201)]],
    ['CHROME_PATH', ['a\0b']],
    [
      'CHROME_ARGS',
      [
        'lang=de',
        '--a "unclosed',
        '--remote-allow-origins=*',
        '--lang=de --remote-debugging-address=0.0.0.0',
        '--remote-debugging-port=9222',
        '--remote-debugging-pipe',
        '--proxy-server=http://127.0.0.1:8080',
        '--lang=de --proxy-pac-url=http://a.test/p',
        '--proxy-bypass-list=*',
        '--no-proxy-server',
        '--host-resolver-rules="MAP * 127.0.0.1"',
        '--host-rules=x',
        '--user-data-dir=/tmp/p',
        '--force-webrtc-ip-handling-policy',
        '--Proxy-Server=x',
      ],
    ],
    ['CHROME_CDP_URL', ['localhost:9222', 'ftp://x', 'file:///etc/passwd', 'not a url']],
    ['DATABASE_URL', ['postgres://u:p@h/db']],
    ['REDIS_URL', ['redis://h']],
    [
      'PUBLIC_URL',
      ['wheel.example.com', 'http://wheel.example.com', 'https://h/path', 'https://u:p@h', 'https://h?x=1', 'ftp://h'],
    ],
    ['TLS_CERT', ['a\0b']],
    ['TLS_KEY', ['x'.repeat(1_001)]],
    ['TRUSTED_HOPS', ['-1', '11', 'one', 'true', '1.5', '10.0.0.0/8']],
    ['LOG_LEVEL', ['verbose', 'INFO ']],
    ['HEADLESS', ['maybe']],
    ['CHROME_NO_SANDBOX', ['2']],
    ['AGENT_IDLE_MS', ['999', '10 min', '86400001']],
    ['SNAPSHOT_MEMORY_MB', ['7', '1 GB', '16385']],
    ['TIMELINE_PICTURES_MB', ['-1', '1 GB', '4097']],
    [
      'LIMITS',
      [
        'sockets',
        'sockets=0',
        'sockets=',
        'sockets=-1',
        'sockets=1e3',
        'sockets=100000',
        'doors=3',
        'sockets=3 sockets=4',
        '__proto__=3',
        'sockets = 3',
      ],
    ],
    ['NODE_ENV', ['prod']],
  ];

  it.each(wrong.flatMap(([name, values]) => values.map((value) => [name, value] as const)))(
    '[OP1] %s=%j is refused in one sentence with the cure',
    (name, value) => {
      const sentence = refusal({ [name]: value });
      const variable = VARIABLES.find((candidate) => candidate.name === name);
      expect(sentence.startsWith(`${name} `)).toBe(true);
      expect(sentence.endsWith(`${variable?.cure}.`)).toBe(true);
      expect(sentence.split('\n')).toHaveLength(1);
    },
  );

  it('[BR7] the README names every limit with its normal value', () => {
    const readme = readFileSync('README.md', 'utf8');
    for (const line of [...limitsTable().split('\n'), `\`LIMITS\` | the normal ones |`]) expect(readme).toContain(line);
    expect(Object.keys(SETTABLE)).toHaveLength(Object.keys(NORMAL_LIMITS).length);
  });

  const PUBLIC = { PUBLIC_URL: 'https://wheel.example.com' };
  const PAIR = { TLS_CERT: '/c.pem', TLS_KEY: '/k.pem' };
  const refused: readonly (readonly [env: Environment, sentence: string])[] = [
    [
      { HOST: '0.0.0.0' },
      'PUBLIC_URL is not set, but HOST "0.0.0.0" lets other computers in: write it like https://wheel.example.com.',
    ],
    [
      { HOST: '[::]', TRUSTED_HOPS: '1' },
      'PUBLIC_URL is not set, but HOST "::" lets other computers in: write it like https://wheel.example.com.',
    ],
    [
      { HOST: '192.168.1.5', TRUSTED_HOPS: '1', PUBLIC_URL: 'http://localhost:7400' },
      'PUBLIC_URL "http://localhost:7400" is not https, but HOST "192.168.1.5" lets other computers in: write it like https://wheel.example.com.',
    ],
    [
      PUBLIC,
      'TLS_CERT is not set, so that sign-ins to https://wheel.example.com would cross the network in clear text: set TLS_CERT and TLS_KEY, or TRUSTED_HOPS=1 when a proxy of yours in front speaks https.',
    ],
    [
      { ...PUBLIC, TLS_CERT: '/c.pem' },
      'TLS_KEY is missing beside TLS_CERT: give the full path of the key, for example /etc/letsencrypt/live/wheel.example.com/privkey.pem.',
    ],
    [
      { ...PUBLIC, TLS_KEY: '/k.pem' },
      'TLS_CERT is missing beside TLS_KEY: give the full path of the certificate, for example /etc/letsencrypt/live/wheel.example.com/fullchain.pem.',
    ],
    [
      PAIR,
      'PUBLIC_URL is not set, but TLS_CERT is, whose certificate is for a name: write it like https://wheel.example.com.',
    ],
    [
      { ...PAIR, PUBLIC_URL: 'http://127.0.0.1:7400' },
      'PUBLIC_URL "http://127.0.0.1:7400" is not https, but TLS_CERT makes this server speak https: write it like https://wheel.example.com.',
    ],
  ];

  it.each(refused)('[AU1] %j is refused in one sentence with the cure', (env, sentence) => {
    expect(refusal(env)).toBe(sentence);
  });

  it('[AU1] beyond loopback a server starts with TLS of its own, or behind a proxy', () => {
    expect(load({ ...PUBLIC, ...PAIR, HOST: '0.0.0.0' })).toMatchObject({ tls: { cert: '/c.pem', key: '/k.pem' } });
    expect(load({ ...PUBLIC, TRUSTED_HOPS: '1' }).warnings).toEqual([]);
    expect(load({ ...PUBLIC, TRUSTED_HOPS: '1', HOST: '::' }).warnings).toMatchObject([
      { text: expect.stringMatching(/^TRUSTED_HOPS trusts what a proxy says, and HOST "::" takes/) },
    ]);
  });

  it('[AU1] addresses of this computer alone need nothing', () => {
    expect(load({ PUBLIC_URL: 'http://localhost:7400', HOST: 'LOCALHOST' }).warnings).toEqual([]);
    expect(load({ HOST: '127.9.9.9', TRUSTED_HOPS: '1' }).warnings).toEqual([]);
  });

  it('[T18] as root a server that other computers can reach needs the sandbox, or the word of its operator', () => {
    const env = { ...PUBLIC, TRUSTED_HOPS: '1' };
    const sentence = (more: Environment): string => {
      try {
        return load({ ...env, ...more }, true).warnings[0]?.text ?? '';
      } catch (thrown) {
        return thrown instanceof WheelhouseError ? thrown.message : String(thrown);
      }
    };
    expect(sentence({})).toBe(
      'CHROME_NO_SANDBOX is not set, and as root Chrome runs without its sandbox, on a server that other computers can reach: run as an ordinary user, or set CHROME_NO_SANDBOX=1 to accept that.',
    );
    expect(sentence({ CHROME_NO_SANDBOX: '1' })).toContain('without its sandbox');
    expect(sentence({ CHROME_ARGS: '--no-sandbox' })).toContain('without its sandbox');
  });

  it('[R8] a wrong secret is not repeated in its refusal', () => {
    expect(refusal({ WHEELHOUSE_API_KEY: 'hunter2' })).not.toContain('hunter2');
    expect(refusal({ DATABASE_URL: 'postgres://u:hunter2@h/db' })).not.toContain('hunter2');
    expect(refusal({ CHROME_CDP_URL: 'gopher://u:hunter2@h' })).not.toContain('hunter2');
  });

  it('[CO6] a webhook needs a secret to sign with', () => {
    const url = 'https://chat.example/hooks/1';
    expect(load({ WEBHOOK_URL: url, WEBHOOK_SECRET: 'x'.repeat(24) }).webhook?.url.href).toBe(url);
    expect(load({ WEBHOOK_SECRET: 'x'.repeat(24) }).webhook).toBeUndefined();
    expect(refusal({ WEBHOOK_URL: url })).toMatch(/^WEBHOOK_SECRET is missing/);
    expect(refusal({ WEBHOOK_URL: 'https://u:hunter2@h/' })).toMatch(/^WEBHOOK_URL is not an http or https address/);
  });

  it('[AU2] mails need an address that they come from', () => {
    const SMTP_URL = 'smtps://ada%40x:p%25w@mail.example.com';
    const { mail } = load({ SMTP_URL, MAIL_FROM: 'Wheel <wheel@example.com>' });
    expect(mail).toMatchObject({
      server: { host: 'mail.example.com', port: 465, secure: true, user: 'ada@x' },
      from: 'Wheel <wheel@example.com>',
    });
    expect(mail?.server.password?.reveal()).toBe('p%w');
    expect(inspect(mail, { depth: 9, showHidden: true })).not.toContain('p%w');
    expect(load({ SMTP_URL: 'smtp://[::1]', MAIL_FROM: 'w@x.example' }).mail?.server).toMatchObject({
      ...{ host: '::1', port: 587, secure: false, user: undefined, password: undefined },
    });
    expect(refusal({ SMTP_URL })).toMatch(/^MAIL_FROM is missing beside SMTP_URL: write it like/);
    for (const wrong of ['http://mail.example.com', 'smtp://mail.example.com/box', 'smtp://', 'smtp://a:%zz@mail'])
      expect(refusal({ SMTP_URL: wrong, MAIL_FROM: 'w@x.example' })).toMatch(
        /^SMTP_URL is not an smtp or smtps address/,
      );
    for (const wrong of ['wheel', 'a@b, c@d', 'x <a@b> <c@d>', 'a@b\r\nBcc: c@d', '"<a@b>'])
      expect(refusal({ SMTP_URL, MAIL_FROM: wrong })).toMatch(/^MAIL_FROM .* is not one mail address/s);
  });

  it('[AU2] a provider is set as a whole, and one way to sign in is left', () => {
    const OIDC = { OIDC_ISSUER: 'https://login.example.com', OIDC_CLIENT_ID: 'wheel', OIDC_CLIENT_SECRET: 'hunter2' };
    expect(load({ ...OIDC, OIDC_DOMAINS: 'Example.com, example.org', PASSWORD_SIGN_IN: 'false' })).toMatchObject({
      oidc: { issuer: 'https://login.example.com', domains: ['example.com', 'example.org'], role: 'member' },
      passwordSignIn: false,
    });
    expect(load({}).passwordSignIn).toBe(true);
    expect(refusal({ OIDC_CLIENT_ID: 'wheel' })).toMatch(/^OIDC_ISSUER is missing beside OIDC_CLIENT_ID/);
    expect(refusal({ OIDC_DOMAINS: 'x.example' })).toMatch(/^OIDC_ISSUER is missing beside OIDC_DOMAINS/);
    expect(refusal({ ...OIDC, OIDC_CLIENT_ID: '' })).toMatch(/^OIDC_CLIENT_ID is missing beside OIDC_ISSUER/);
    expect(refusal({ ...OIDC, OIDC_CLIENT_SECRET: '' })).toMatch(/^OIDC_CLIENT_SECRET is missing beside OIDC_ISSUER/);
    expect(refusal({ PASSWORD_SIGN_IN: 'off' })).toMatch(/^OIDC_ISSUER is missing beside PASSWORD_SIGN_IN=false/);
    for (const issuer of ['login', 'http://login.example.com', 'https://login.example.com?x', 'https://u@x.example'])
      expect(refusal({ ...OIDC, OIDC_ISSUER: issuer })).toMatch(/^OIDC_ISSUER .* is not an https address/);
    expect(refusal({ ...OIDC, OIDC_ROLE: 'owner' })).toMatch(/^OIDC_ROLE "owner" is not a role/);
    expect(refusal({ ...OIDC, OIDC_DOMAINS: '*.com' })).toMatch(/^OIDC_DOMAINS .* is not a domain name/);
  });

  it('[R8] a secret is never printed, however the settings are turned into text', () => {
    const config = load({ WHEELHOUSE_API_KEY: 'hunter2-hunter2-hunter2-hunter2' });
    const ways = [
      JSON.stringify(config),
      inspect(config, { depth: 9, showHidden: true }),
      String(config.apiKey),
      `key: ${String(config.apiKey)}`,
    ];
    expect(ways.filter((text) => text.includes('hunter2'))).toEqual([]);
    expect(String(config.apiKey)).toBe('[secret:WHEELHOUSE_API_KEY]');
  });

  it('[T18] as root Chrome runs without its sandbox, with a warning, unless set otherwise', () => {
    expect(load({}, true)).toMatchObject({
      chrome: { noSandbox: true },
      warnings: [{ text: expect.stringContaining('without its sandbox') }],
    });
    expect(load({ CHROME_NO_SANDBOX: 'false' }, true)).toMatchObject({ chrome: { noSandbox: false }, warnings: [] });
  });

  it('[OP1] the table for the README has a line for each variable of the HTTP contract', () => {
    const names = [
      'PORT',
      'HOST',
      'DATA_DIR',
      'WHEELHOUSE_API_KEY',
      'CHROME_PATH',
      'CHROME_ARGS',
      'CHROME_CDP_URL',
      'DATABASE_URL',
      'REDIS_URL',
      'PUBLIC_URL',
      'TLS_CERT',
      'TLS_KEY',
      'TRUSTED_HOPS',
      'LOG_LEVEL',
      'HEADLESS',
      'CHROME_NO_SANDBOX',
      'AGENT_IDLE_MS',
      'SNAPSHOT_MEMORY_MB',
      'TIMELINE_PICTURES_MB',
      'LIMITS',
      'SEARCH_URL',
      'WEBHOOK_URL',
      'WEBHOOK_SECRET',
      'SMTP_URL',
      'MAIL_FROM',
      'OIDC_ISSUER',
      'OIDC_CLIENT_ID',
      'OIDC_CLIENT_SECRET',
      'OIDC_DOMAINS',
      'OIDC_ROLE',
      'PASSWORD_SIGN_IN',
      'NODE_ENV',
    ];
    const rows = configTable().split('\n').slice(2);
    expect(rows.map((row) => /^\| `(\w+)` \| \S/.exec(row)?.[1]).toSorted()).toEqual(names.toSorted());
  });
});
