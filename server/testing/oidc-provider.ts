import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import Provider from 'oidc-provider';
import { z } from 'zod';

/** What the provider says of the person at its sign-in page. */
interface ProviderPerson {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
}

/** Changes an answer of the provider: returns the one to give instead. A promise that never settles hangs it. */
type Tamper = (path: string, body: unknown) => unknown;

export interface TestProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Who is at the sign-in page. */
  person: ProviderPerson;
  tamper: Tamper;
  /** How many requests each path got. */
  readonly asked: Map<string, number>;
  /** An id token with the provider's own signature. */
  sign(claims: JWTPayload, header?: { alg?: string; kid?: string }): Promise<string>;
  /** Sets where it leads browsers back to. */
  leadsTo(callback: string): void;
  /** Replaces the provider's key, as a provider does from time to time. */
  renewKey(): Promise<void>;
  /** Follows the redirects as a browser does, and returns the address that leads back to the application. */
  visit(url: string): Promise<URL>;
  close(): void;
}

const CLIENT = { client_id: 'wheel', client_secret: 'a client secret of the tests' };

/** A whole OpenID provider on loopback, which signs in whoever `person` names without asking. */
export async function startOidcProvider(callback = 'http://127.0.0.1:1/'): Promise<TestProvider> {
  let answer: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  const server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port }: Partial<AddressInfo> = Object(server.address());
  const issuer = `http://127.0.0.1:${port}`;
  let [key, back] = [await newKey('first'), callback];
  const renew = (): void => void (answer = listener(issuer, back, provider, key.jwk));
  const provider: TestProvider = {
    ...{ issuer, clientId: CLIENT.client_id, clientSecret: CLIENT.client_secret, asked: new Map() },
    person: { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada' },
    tamper: (_path, body) => body,
    sign: (claims, header) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: key.jwk.kid ?? '', ...header }).sign(key.privateKey),
    renewKey: async () => {
      key = await newKey(`key ${Math.random()}`);
      renew();
    },
    leadsTo: (address) => {
      back = address;
      renew();
    },
    visit: (url) => visit(url, back),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  renew();
  return provider;
}

async function newKey(kid: string) {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' } };
}

function listener(issuer: string, callback: string, test: TestProvider, jwk: object) {
  const provider = new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [callback], response_types: ['code'], grant_types: ['authorization_code'] }],
    jwks: { keys: [jwk] },
    cookies: { keys: ['a cookie key of the tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    findAccount: () => ({ accountId: test.person.sub, claims: () => test.person }),
    interactions: { url: () => '/enter' },
    loadExistingGrant: async ({ oidc }) => {
      const { clientId } = oidc.client;
      const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  provider.use(async (context, next) => {
    const { path } = context;
    test.asked.set(path, (test.asked.get(path) ?? 0) + 1);
    if (path === '/enter') {
      context.respond = false;
      await provider.interactionFinished(context.req, context.res, { login: { accountId: test.person.sub } });
      return;
    }
    await next();
    context.body = await test.tamper(path, context.body);
  });
  return provider.callback();
}

async function visit(url: string, callback: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let at = new URL(url);
  for (let hops = 0; hops < 10; hops += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${at.pathname} answered ${response.status}: ${await response.text()}`);
    at = new URL(location, at);
    if (at.href.startsWith(callback)) return at;
  }
  throw new Error('The provider redirects without end.');
}

/** The parts of an id token, unverified. */
export function claimsOf(token: string): JWTPayload {
  const [, payload = ''] = token.split('.');
  return z.record(z.string(), z.unknown()).parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')));
}
