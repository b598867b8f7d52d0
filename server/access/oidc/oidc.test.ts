import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { withBudget } from '@/lib/budget/budget';
import { monotonicClock } from '@/lib/budget/clock';
import { asWheelhouseError } from '@/lib/errors/error';
import { Secret } from '@/server/config/secret';
import { claimsOf, startOidcProvider, type TestProvider } from '@/server/testing/oidc-provider';
import { systemResolver } from '../egress/resolve';
import { Oidc } from './oidc';

const CALLBACK = 'http://127.0.0.1:7400/api/v1/sign-in/oidc/callback';
const MINUTE_MS = 60_000;
const GENTLE = { timeoutMs: 20_000, clock: monotonicClock };

let provider: TestProvider;
beforeAll(async () => {
  provider = await startOidcProvider(CALLBACK);
});
afterAll(() => provider.close());
beforeEach(() => {
  provider.person = { sub: 'ada', email: 'Ada@Example.com', email_verified: true, name: 'Ada' };
  provider.tamper = (_path, body) => body;
});

/** The server's side, with a wall clock and a monotonic one that move by hand. */
function client(issuer = provider.issuer) {
  const clock = { time: Date.now(), now: 0 };
  const { clientId, clientSecret } = provider;
  const secret = new Secret('OIDC_CLIENT_SECRET', clientSecret);
  const oidc = new Oidc({
    config: { issuer, clientId, secret, domains: [], role: 'member' },
    resolve: systemResolver(),
    now: () => clock.now,
    time: () => new Date(clock.time),
  });
  const begin = (purpose = { to: '/' }) => withBudget(GENTLE, (budget) => oidc.begin(budget, purpose, CALLBACK));
  const finish = (back: URL, cookie: string | undefined) =>
    withBudget(GENTLE, (budget) =>
      oidc.finish(budget, { query: Object.fromEntries(back.searchParams), cookie, callback: CALLBACK }),
    );
  const signIn = async () => {
    const { url, cookie } = await begin();
    return finish(await provider.visit(url), cookie);
  };
  return { oidc, clock, begin, finish, signIn };
}

const refusal = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return 'accepted';
  } catch (error) {
    const { code, message, hint } = asWheelhouseError(error);
    expect(hint).not.toBe('');
    return `${code}: ${message}`;
  }
};

/** Replaces the id token of the token endpoint. */
function replacing(make: (token: string) => string | Promise<string>): void {
  const answer = z.looseObject({ id_token: z.string() });
  provider.tamper = async (path, body) => {
    const parsed = answer.safeParse(body);
    return path === '/token' && parsed.success ? { ...parsed.data, id_token: await make(parsed.data.id_token) } : body;
  };
}

describe('signing in by a provider', () => {
  it('[AU2] the provider says who that is; where to go comes back unchanged', async () => {
    const { begin, finish } = client();
    const { url, cookie } = await begin({ to: '/sessions/s_1?tab=t2' });
    const asked = new URL(url).searchParams;
    expect([asked.get('scope'), asked.get('code_challenge_method')]).toEqual(['openid email profile', 'S256']);
    expect(await finish(await provider.visit(url), cookie)).toEqual({
      identity: { subject: 'ada', email: 'ada@example.com', name: 'Ada' },
      purpose: { to: '/sessions/s_1?tab=t2' },
    });
  });

  it('[AU2] an address that the provider has not verified is none, and a name is cleaned', async () => {
    const { signIn } = client();
    provider.person = { sub: 'eve', email: 'ada@example.com', email_verified: false, name: '\u202eev\0e\n' };
    expect((await signIn()).identity).toEqual({ subject: 'eve', email: undefined, name: 'eve' });
    provider.person = { sub: 'eve', email: `${'x'.repeat(10_000)}@example.com`, email_verified: true, name: '<b>' };
    expect((await signIn()).identity).toEqual({ subject: 'eve', email: undefined, name: '<b>' });
  });

  it('[AU2] address and name are asked for where the id token has none, for that person only', async () => {
    const { signIn } = client();
    replacing((token) => {
      const { email: _email, name: _name, ...bare } = claimsOf(token);
      return provider.sign(bare);
    });
    expect((await signIn()).identity).toMatchObject({ email: 'ada@example.com', name: 'Ada' });
    const withoutAddress = provider.tamper;
    provider.tamper = (path, body) =>
      path === '/me' ? { sub: 'eve', email: 'eve@example.com', email_verified: true } : withoutAddress(path, body);
    expect((await signIn()).identity).toEqual({ subject: 'ada', email: undefined, name: undefined });
  });

  it('[AU2] an answer is worth something in the browser that began, once, within ten minutes', async () => {
    const { clock, begin, finish } = client();
    const [mine, other] = [await begin(), await begin()];
    const back = await provider.visit(mine.url);
    const begun = /^UNAUTHENTICATED: .*begun in another browser, or too long ago/;
    for (const cookie of [undefined, '', 'x'.repeat(9_000), '{"secret":1}', other.cookie, `${mine.cookie}A`])
      expect(await refusal(finish(back, cookie))).toMatch(begun);
    clock.time += 11 * MINUTE_MS;
    expect(await refusal(finish(back, mine.cookie))).toMatch(begun);
    clock.time -= 11 * MINUTE_MS;
    expect(await refusal(finish(back, mine.cookie))).toBe('accepted');
    expect(await refusal(finish(back, mine.cookie))).toMatch(/^UNAUTHENTICATED: .*used already, or is too old/);
  });

  it('[AU2] refusals, foreign answers and malformed ones are told apart from sign-ins', async () => {
    const { begin, finish } = client();
    const { url, cookie } = await begin();
    const state = new URL(url).searchParams.get('state') ?? '';
    const back = (fields: Record<string, string>): URL => new URL(`${CALLBACK}?${new URLSearchParams(fields)}`);
    expect(await refusal(finish(back({ state, error: 'access_denied' }), cookie))).toContain('"access_denied"');
    expect(await refusal(finish(back({ state, error: '\u202e<b>' }), cookie))).toContain('"<b>"');
    expect(await refusal(finish(back({ state, code: 'x', iss: 'https://evil.example' }), cookie))).toContain(
      'another provider',
    );
    expect(await refusal(finish(back({ state }), cookie))).toContain('no code');
    expect(await refusal(finish(back({ code: 'x' }), cookie))).toContain('another browser');
    expect(await refusal(finish(back({ state, code: 'x'.repeat(10_000) }), cookie))).toContain('another browser');
  });

  it('[AU2] an id token counts only with signature, issuer, audience, nonce and times of this sign-in', async () => {
    const { signIn } = client();
    const foreign = await generateKeyPair('RS256');
    const now = Math.floor(Date.now() / 1_000);
    const changed = (claims: Record<string, unknown>) => (token: string) =>
      provider.sign({ ...claimsOf(token), ...claims });
    const tokens: readonly (readonly [string, (token: string) => string | Promise<string>, RegExp])[] = [
      ['nonce', changed({ nonce: 'of another sign-in' }), /nonce/],
      ['no nonce', changed({ nonce: undefined }), /nonce/],
      ['alg none', (token) => new UnsecuredJWT(claimsOf(token)).encode(), /signature/],
      [
        'the client secret as key',
        (token) =>
          new SignJWT(claimsOf(token))
            .setProtectedHeader({ alg: 'HS256' })
            .sign(new TextEncoder().encode(provider.clientSecret)),
        /signature/,
      ],
      [
        'another key',
        (token) =>
          new SignJWT(claimsOf(token)).setProtectedHeader({ alg: 'RS256', kid: 'first' }).sign(foreign.privateKey),
        /signature/,
      ],
      ['foreign aud', changed({ aud: 'another application' }), /"aud"/],
      ['several aud', changed({ aud: ['wheel', 'another'], azp: undefined }), /another application/],
      ['foreign azp', changed({ azp: 'another' }), /another application/],
      ['foreign iss', changed({ iss: 'https://evil.example' }), /"iss"/],
      ['expired', changed({ exp: now - 120 }), /expired/],
      ['too old', changed({ iat: now - 3_600 }), /clocks/],
      ['of the future', changed({ iat: now + 3_600 }), /clocks/],
      ['no subject', changed({ sub: undefined }), /"sub"/],
      ['cut', (token) => token.slice(0, -20), /signature/],
      ['no token', () => 'nonsense', /signature/],
    ];
    for (const [name, make, reason] of tokens) {
      replacing(make);
      const said = await refusal(signIn());
      expect([name, said]).toEqual([name, expect.stringMatching(/^UNAUTHENTICATED: The provider's answer was not/)]);
      expect(said).toMatch(reason);
    }
  });

  it('[AU2] a new key of the provider is fetched, and not more often than twice a minute', async () => {
    const { clock, signIn } = client();
    await signIn();
    await provider.renewKey();
    expect(await refusal(signIn())).toContain('signature');
    clock.now += MINUTE_MS;
    expect(await refusal(signIn())).toBe('accepted');
    const before = provider.asked.get('/jwks');
    replacing((token) => provider.sign(claimsOf(token), { kid: 'unknown' }));
    for (let round = 0; round < 3; round += 1) expect(await refusal(signIn())).toContain('signature');
    expect(provider.asked.get('/jwks')).toBe(before);
  });

  it('[AU2] a provider that is slow is given up with the budget, and one that is down is named', async () => {
    const { oidc, begin } = client();
    provider.tamper = () => new Promise(() => undefined);
    const brief = { timeoutMs: 300, clock: monotonicClock };
    expect(await refusal(withBudget(brief, (budget) => oidc.begin(budget, { to: '/' }, CALLBACK)))).toMatch(/^TIMEOUT/);
    provider.tamper = (_path, body) => body;
    expect(await refusal(begin())).toBe('accepted');
    expect(await refusal(client('http://127.0.0.1:1').begin())).toMatch(
      /^UNSUPPORTED: Signing in by the provider does not work at the moment: 127\.0\.0\.1:1: .*ECONNREFUSED/,
    );
    expect(await refusal(client('https://no-such-name.invalid').begin())).toContain('has no address');
  });

  it('[AU2] [T2] a hostile discovery document leads to no other place', async () => {
    const refused: readonly (readonly [Record<string, unknown>, RegExp])[] = [
      [{ issuer: 'https://evil.example' }, /calls itself "https:\/\/evil\.example"/],
      [{ authorization_endpoint: 'javascript:alert(1)' }, /no https address/],
      [{ authorization_endpoint: 'http://evil.example/' }, /no https address/],
      [{ token_endpoint: 'file:///etc/passwd' }, /no https address/],
      [{ jwks_uri: 7 }, /no discovery document/],
    ];
    for (const [change, reason] of refused) {
      provider.tamper = (_path, body) => ({ ...Object(body), ...change });
      expect(await refusal(client().begin())).toMatch(reason);
    }
    for (const [token, reason] of [
      ['https://169.254.169.254/token', /machine metadata/],
      ['https://10.0.0.1/token', /private network/],
      ['https://localhost:9/token', /private network/],
      ['https://metadata.google.internal/token', /machine metadata|no address/],
    ] as const) {
      provider.tamper = (path, body) =>
        path.includes('well-known') ? { ...Object(body), token_endpoint: token } : body;
      expect(await refusal(client().signIn())).toMatch(reason);
    }
  });

  it('[AU2] a provider that redirects, answers no JSON, or answers without end is refused', async () => {
    let treat: Parameters<typeof createServer>[1];
    const server = createServer((request, response) => treat?.(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port }: Partial<AddressInfo> = Object(server.address());
    const issuer = `http://127.0.0.1:${port}`;
    treat = (_request, response) => void response.writeHead(302, { location: `${provider.issuer}/x` }).end();
    expect(await refusal(client(issuer).begin())).toMatch(/status 302 and no JSON/);
    treat = (_request, response) => void response.end('<html>');
    expect(await refusal(client(issuer).begin())).toMatch(/no JSON/);
    treat = (_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
        response.once('drain', more);
      };
      more();
    };
    expect(await refusal(client(issuer).begin())).toMatch(/more than 262144 bytes/);
    server.close();
    server.closeAllConnections();
  });
});
