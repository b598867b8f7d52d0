import { describe, expect, it } from 'vitest';
import { checkHostOrigin, type Provenance } from './host-origin';
import { localOrigin, sitesOf } from './sites';

const local = sitesOf({ host: '127.0.0.1', port: 7400, publicUrl: undefined, tls: false });
const HOST = '127.0.0.1:7400';
const ORIGIN = 'http://127.0.0.1:7400';

/** Host and Origin as an attacker's page, a rebound name or a sloppy proxy would send them. */
const WRONG_PAIRS: readonly (readonly [host: string | undefined, origin: string | undefined])[] = [
  [HOST, 'null'],
  [HOST, ''],
  [HOST, 'http://evil.example'],
  [HOST, 'http://127.0.0.1:7400.evil.example'],
  [HOST, 'http://evil.example/http://127.0.0.1:7400'],
  [HOST, 'http://evil127.0.0.1:7400'],
  [HOST, 'http://127.0.0.1:74000'],
  [HOST, 'http://127.0.0.1:740'],
  [HOST, 'http://127.0.0.1'],
  [HOST, 'http://127.0.0.1:3000'],
  [HOST, 'https://127.0.0.1:7400'],
  [HOST, 'ws://127.0.0.1:7400'],
  [HOST, 'file://'],
  [HOST, 'chrome-extension://abcdefghijklmnop'],
  [HOST, 'HTTP://127.0.0.1:7400'],
  [HOST, 'http://127.0.0.1:7400/'],
  [HOST, 'http://127.0.0.1.:7400'],
  [HOST, 'http://user@127.0.0.1:7400'],
  [HOST, ' http://127.0.0.1:7400'],
  [HOST, 'http://127.0.0.1:7400, http://evil.example'],
  [HOST, 'http://localhost:7400'],
  [HOST, 'http://[::1]:7400'],
  [HOST, 'http://127.1:7400'],
  [HOST, 'http://2130706433:7400'],
  ['localhost:7400', ORIGIN],
  ['localhost:7400', 'http://LOCALHOST:7400'],
  ['LOCALHOST:7400', 'http://localhost:7400'],
  ['localhost.:7400', 'http://localhost.:7400'],
  ['rebound.example:7400', 'http://rebound.example:7400'],
  ['rebound.example', 'http://rebound.example'],
  ['127.0.0.1', 'http://127.0.0.1'],
  ['127.0.0.1:80', 'http://127.0.0.1:80'],
  ['127.0.0.2:7400', 'http://127.0.0.2:7400'],
  ['127.0.0.1:7400.', ORIGIN],
  ['127.0.0.1:7400, evil.example', ORIGIN],
  ['evil.example', ORIGIN],
  ['', ORIGIN],
  [undefined, ORIGIN],
  ['0.0.0.0:7400', 'http://0.0.0.0:7400'],
  ['[::ffff:127.0.0.1]:7400', 'http://[::ffff:7f00:1]:7400'],
];

const kinds: readonly Pick<Provenance, 'method' | 'upgrade' | 'credential'>[] = [
  { method: 'GET', credential: 'cookie' },
  { method: 'GET', upgrade: true, credential: 'cookie' },
  { method: 'GET', upgrade: true, credential: 'none' },
  { method: 'POST', credential: 'cookie' },
  { method: 'DELETE', credential: 'bearer' },
  { method: 'POST', credential: 'none' },
];

describe('Host and Origin', () => {
  it.each(WRONG_PAIRS)('[T1] Host %j with Origin %j is refused for every kind of request', (host, origin) => {
    const accepted = kinds.filter((kind) => checkHostOrigin({ ...kind, host, origin }, local).ok);
    expect(accepted).toEqual([]);
  });

  it('[T1] at least 30 wrong spellings are tried', () => {
    expect(WRONG_PAIRS.length).toBeGreaterThanOrEqual(30);
  });

  it.each([
    [HOST, ORIGIN],
    ['localhost:7400', 'http://localhost:7400'],
    ['[::1]:7400', 'http://[::1]:7400'],
  ])('[T1] the right pair %s is accepted for every kind of request', (host, origin) => {
    const refused = kinds.filter((kind) => !checkHostOrigin({ ...kind, host, origin }, local).ok);
    expect(refused).toEqual([]);
  });

  it('[R1] without Origin a key may change things, a cookie may only read', () => {
    const ask = (rest: Pick<Provenance, 'method' | 'upgrade' | 'credential'>): boolean =>
      checkHostOrigin({ ...rest, host: HOST, origin: undefined }, local).ok;
    expect({
      keyPost: ask({ method: 'POST', credential: 'bearer' }),
      keyUpgrade: ask({ method: 'GET', upgrade: true, credential: 'bearer' }),
      cookieGet: ask({ method: 'GET', credential: 'cookie' }),
      cookiePost: ask({ method: 'POST', credential: 'cookie' }),
      cookieUpgrade: ask({ method: 'GET', upgrade: true, credential: 'cookie' }),
      cookieOdd: ask({ method: 'FROBNICATE', credential: 'cookie' }),
      both: ask({ method: 'GET', credential: 'conflict' }),
    }).toEqual({
      keyPost: true,
      keyUpgrade: true,
      cookieGet: true,
      cookiePost: false,
      cookieUpgrade: false,
      cookieOdd: false,
      both: false,
    });
  });

  const fetched: readonly (readonly [accepted: boolean, site: string, mode: string, dest: string, method: string])[] = [
    [true, 'same-origin', 'cors', 'empty', 'POST'],
    [true, 'none', 'navigate', 'document', 'GET'],
    [true, 'cross-site', 'navigate', 'document', 'GET'],
    [false, 'cross-site', 'navigate', 'document', 'POST'],
    [false, 'cross-site', 'navigate', 'iframe', 'GET'],
    [false, 'cross-site', 'no-cors', 'image', 'GET'],
    [false, 'same-site', 'no-cors', 'script', 'GET'],
    [false, 'same-site', 'cors', 'empty', 'GET'],
    [false, 'same-site', 'websocket', 'websocket', 'GET'],
    [false, 'none', 'cors', 'empty', 'POST'],
  ];

  it.each(fetched)(
    '[T1] %s for Sec-Fetch-Site %s, mode %s, dest %s, %s',
    (accepted, secFetchSite, secFetchMode, secFetchDest, method) => {
      const request = {
        host: HOST,
        origin: undefined,
        method,
        credential: 'none',
        secFetchSite,
        secFetchMode,
        secFetchDest,
      } as const;
      expect(checkHostOrigin(request, local).ok).toBe(accepted);
    },
  );

  it('[AU6] behind a public address both that and loopback are accepted, each only with its own Origin', () => {
    const sites = sitesOf({
      host: '127.0.0.1',
      port: 7400,
      publicUrl: new URL('https://wheel.example.com:443/'),
      tls: false,
    });
    const ask = (host: string, origin: string): boolean =>
      checkHostOrigin({ host, origin, method: 'POST', credential: 'cookie' }, sites).ok;
    expect({
      public: ask('wheel.example.com', 'https://wheel.example.com'),
      local: ask(HOST, ORIGIN),
      plain: ask('wheel.example.com', 'http://wheel.example.com'),
      crossed: ask('wheel.example.com', ORIGIN),
      crossedBack: ask(HOST, 'https://wheel.example.com'),
    }).toEqual({ public: true, local: true, plain: false, crossed: false, crossedBack: false });
    expect(sites[0]).toEqual({ origin: 'https://wheel.example.com', host: 'wheel.example.com', secure: true });
  });

  it('[AU6] on port 80 the names carry no port, as browsers write them', () => {
    expect(sitesOf({ host: '::1', port: 80, publicUrl: undefined, tls: false }).map((site) => site.host)).toEqual([
      '[::1]',
      '127.0.0.1',
      'localhost',
    ]);
  });

  it('[AU1] other computers come by the public address only, by whatever address the server listens on', () => {
    const publicUrl = new URL('https://wheel.example.com');
    const hosts = (host: string, tls = false): string[] =>
      sitesOf({ host, port: 7400, publicUrl, tls }).map((site) => site.host);
    const loopback = ['127.0.0.1:7400', 'localhost:7400', '[::1]:7400'];
    expect(hosts('0.0.0.0')).toEqual(['wheel.example.com', ...loopback]);
    expect(hosts('::')).toEqual(['wheel.example.com', ...loopback]);
    expect(hosts('192.168.1.5')).toEqual(['wheel.example.com']);
    expect(hosts('fe80::1')).toEqual(['wheel.example.com']);
    expect(hosts('127.0.0.1', true)).toEqual(['wheel.example.com']);
    expect(hosts('0.0.0.0', true)).toEqual(['wheel.example.com']);
  });

  it('[AU1] programs of this computer use plain loopback where there is such a site', () => {
    const publicUrl = new URL('https://localhost:8443');
    const origin = (host: string, tls = false): string => localOrigin(sitesOf({ host, port: 7400, publicUrl, tls }));
    expect(origin('127.0.0.1')).toBe('http://127.0.0.1:7400');
    expect(origin('::1')).toBe('http://[::1]:7400');
    expect(origin('0.0.0.0')).toBe('http://127.0.0.1:7400');
    expect(origin('192.168.1.5')).toBe('https://localhost:8443');
    expect(origin('127.0.0.1', true)).toBe('https://localhost:8443');
  });
});
