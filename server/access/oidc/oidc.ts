import { createHash, createHmac, randomBytes } from 'node:crypto';
import { errors, jwtVerify, type JWTPayload } from 'jose';
import { z } from 'zod';
import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import { cleanText } from '@/lib/text/clean';
import type { OidcConfig } from '@/server/config/config';
import type { Resolver } from '../egress/resolve';
import { randomToken, sameHash } from '../tokens';
import { Dialer, ProviderError } from './dialer';
import { Discovery, type Provider } from './discovery';

/** How long a person may take at the provider. Milliseconds. */
export const FLOW_MS = 600_000;
/** Clocks of provider and server may be apart by this. Seconds. */
const CLOCK_S = 60;
/** Only signatures that the provider's public keys check: neither `none`, nor one with the client's secret. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Why a person goes to the provider. It travels in the cookie of the flow, and comes back unchanged. */
const purposeSchema = z.object({
  /** Where to go afterwards: a path of ours. */
  to: z.string().max(2_000),
  /** The token of an invitation that shall be accepted. */
  invitation: z.string().max(100).optional(),
  /** The signed-in person who adds this way to sign in. */
  connect: z.string().max(100).optional(),
});
export type Purpose = z.infer<typeof purposeSchema>;

const cookieSchema = purposeSchema.extend({ secret: z.string().length(43), at: z.number() });

/** Who somebody is, as the provider says. */
export interface Identity {
  /** Never changes, and is never given to another person. */
  readonly subject: string;
  /** In lower case; undefined: none, or not verified. */
  readonly email: string | undefined;
  readonly name: string | undefined;
}

const answerSchema = z.object({
  code: z.string().max(4_000).optional(),
  state: z.string().max(200).optional(),
  error: z.string().max(200).optional(),
  iss: z.string().max(2_000).optional(),
});
const tokenSchema = z.object({ id_token: z.string().max(50_000), access_token: z.string().max(50_000).optional() });
type Tokens = z.infer<typeof tokenSchema>;
const tokenErrorSchema = z.object({ error: z.string() });
/** What a provider may say about a person, in the id token or on request. */
const profileSchema = z.object({
  sub: z.string().min(1).max(255),
  email: z.email().max(254).toLowerCase().optional().catch(undefined),
  // Some providers write the word.
  email_verified: z.union([z.boolean(), z.stringbool()]).optional().catch(undefined),
  name: z.string().max(1_000).optional().catch(undefined),
  preferred_username: z.string().max(1_000).optional().catch(undefined),
});
const claimsSchema = profileSchema.extend({
  nonce: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  azp: z.string().optional(),
});

export interface OidcParts {
  readonly config: OidcConfig;
  readonly resolve: Resolver;
  /** Monotonic milliseconds, for caches. */
  readonly now: () => number;
  /** The wall clock, for flows. */
  readonly time: () => Date;
}

/**
 * Signing in by a provider: the code flow with PKCE, state and nonce, all derived from one secret in a cookie of the
 * browser that began, so that the server keeps nothing and an answer is worth nothing in another browser (AU2). The id
 * token is verified, read and dropped.
 */
export class Oidc {
  readonly #discovery: Discovery;
  readonly #dialer: Dialer;
  /** A new one with each start: who is at the provider then begins again. */
  readonly #key = randomBytes(32);

  constructor(private readonly parts: OidcParts) {
    const { config, resolve, now } = parts;
    this.#dialer = new Dialer(resolve, { issuer: new URL(config.issuer), now });
    this.#discovery = new Discovery(config.issuer, this.#dialer, now);
  }

  /** The provider's host, for the button. */
  get name(): string {
    return new URL(this.parts.config.issuer).host;
  }

  /** Where to send the browser, and the cookie that it has to bring back. Throws `ProviderError`. */
  async begin(budget: Budget, purpose: Purpose, callback: string): Promise<{ url: string; cookie: string }> {
    const { authorizationUrl } = await this.#discovery.provider(budget);
    const fields = { ...purpose, secret: randomToken(), at: this.parts.time().getTime() };
    const cookie = Buffer.from(JSON.stringify(fields)).toString('base64url');
    const url = new URL(authorizationUrl);
    const asked = {
      response_type: 'code',
      client_id: this.parts.config.clientId,
      redirect_uri: callback,
      scope: 'openid email profile',
      state: this.#derived('state', cookie),
      nonce: this.#derived('nonce', cookie),
      code_challenge: createHash('sha256').update(this.#derived('verifier', cookie)).digest('base64url'),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
    return { url: url.href, cookie };
  }

  /**
   * Reads the provider's answer, which the browser brought with the cookie of its flow, and asks the provider who that
   * is. Throws UNAUTHENTICATED when the answer proves nothing, `ProviderError` when the provider does not do its part.
   */
  async finish(
    budget: Budget,
    { query, cookie, callback }: { query: unknown; cookie: string | undefined; callback: string },
  ): Promise<{ identity: Identity; purpose: Purpose }> {
    const purpose = this.purposeOf(cookie);
    const answer = answerSchema.safeParse(query);
    if (!purpose || cookie === undefined || !answer.success)
      throw again('it was begun in another browser, or too long ago');
    const { code, state, error, iss } = answer.data;
    if (state === undefined || !sameHash(state, this.#derived('state', cookie)))
      throw again('it was begun in another browser, or too long ago');
    if (iss !== undefined && iss !== this.parts.config.issuer) throw again('another provider answered');
    if (error !== undefined) throw again(`the provider answered "${cleanText(error, 100)}"`);
    if (code === undefined) throw again('the provider gave no code');
    const tokens = await this.#exchange(budget, { code, verifier: this.#derived('verifier', cookie), callback });
    return { identity: await this.#verified(budget, tokens, this.#derived('nonce', cookie)), purpose };
  }

  /** What a cookie says; it is not proven before `finish`. Undefined for one that is missing, malformed or too old. */
  purposeOf(cookie: string | undefined): Purpose | undefined {
    if (cookie === undefined || cookie.length > 4_000) return undefined;
    const parsed = cookieSchema.safeParse(parseJson(Buffer.from(cookie, 'base64url').toString('utf8')));
    const now = this.parts.time().getTime();
    if (!parsed.success || parsed.data.at > now || now - parsed.data.at > FLOW_MS) return undefined;
    return purposeSchema.parse(parsed.data);
  }

  /** Changed text gives another value, so that a cookie that was tampered with fits no answer. */
  #derived(use: 'state' | 'nonce' | 'verifier', cookie: string): string {
    return createHmac('sha256', this.#key).update(`${use}.${cookie}`).digest('base64url');
  }

  async #exchange(
    budget: Budget,
    { code, verifier, callback }: { code: string; verifier: string; callback: string },
  ): Promise<Tokens> {
    const provider = await this.#discovery.provider(budget);
    const fields = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: callback });
    fields.set('code_verifier', verifier);
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...this.#clientProof(provider, fields) };
    const asked = { method: 'POST', headers, body: fields.toString() } as const;
    const { status, json } = await this.#dialer.json(budget, provider.tokenUrl, asked);
    const tokens = tokenSchema.safeParse(json);
    if (status === 200 && tokens.success) return tokens.data;
    const failure = tokenErrorSchema.safeParse(json);
    const reason = failure.success ? cleanText(failure.data.error, 100) : `status ${status}`;
    if (reason === 'invalid_grant') throw again('the code of the provider was used already, or is too old');
    throw new ProviderError(`it gave no id token (${reason})`);
  }

  /** Adds what proves that we are the client, to the headers or to the fields. */
  #clientProof({ clientAuth }: Provider, fields: URLSearchParams): Record<string, string> {
    const { clientId, secret } = this.parts.config;
    if (clientAuth === 'basic') {
      const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(secret.reveal())}`;
      return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
    }
    fields.set('client_id', clientId);
    fields.set('client_secret', secret.reveal());
    return {};
  }

  async #verified(budget: Budget, tokens: Tokens, nonce: string): Promise<Identity> {
    const claims = claimsSchema.safeParse(await this.#payload(budget, tokens.id_token));
    if (!claims.success || !sameHash(claims.data.nonce, nonce))
      throw wrongToken('its nonce is not that of this sign-in');
    const { sub, aud, azp } = claims.data;
    const { clientId } = this.parts.config;
    // A token for several applications says to which of them it was given.
    const givenTo = azp ?? ([aud].flat().length === 1 ? clientId : undefined);
    if (givenTo !== clientId) throw wrongToken('it is for another application');
    const said = claims.data.email === undefined ? await this.#profile(budget, tokens, sub) : undefined;
    const { email, email_verified: verified, name, preferred_username: other } = said ?? claims.data;
    const shown = cleanText(name ?? other ?? '', 120);
    return { subject: sub, email: verified === true ? email : undefined, name: shown === '' ? undefined : shown };
  }

  /** Some providers tell address and name only for the access token; undefined where they do not. */
  async #profile(budget: Budget, { access_token: token }: Tokens, subject: string) {
    const { profileUrl } = await this.#discovery.provider(budget);
    if (profileUrl === undefined || token === undefined) return undefined;
    const asked = { method: 'GET', headers: { authorization: `Bearer ${token}` } } as const;
    const profile = profileSchema.safeParse((await this.#dialer.json(budget, profileUrl, asked)).json);
    return profile.success && profile.data.sub === subject ? profile.data : undefined;
  }

  /** Checks signature, issuer, audience and times. A key that is not known yet may be a new one. */
  async #payload(budget: Budget, token: string): Promise<JWTPayload> {
    const { issuer, clientId } = this.parts.config;
    const options = {
      ...{ issuer, audience: clientId, algorithms: ALGORITHMS, clockTolerance: CLOCK_S },
      ...{
        requiredClaims: ['sub', 'iat', 'exp', 'nonce'],
        maxTokenAge: FLOW_MS / 1_000,
        currentDate: this.parts.time(),
      },
    };
    const verify = async (fresh: boolean): Promise<JWTPayload> => {
      const keys = await this.#discovery.keys(budget, { again: fresh });
      const { payload } = await budget.race(jwtVerify(token, keys, options));
      return payload;
    };
    try {
      return await verify(false).catch((error: unknown) => {
        if (error instanceof errors.JWKSNoMatchingKey) return verify(true);
        throw error;
      });
    } catch (error) {
      if (error instanceof errors.JOSEError) throw wrongToken(wordsOf(error), error);
      throw error;
    }
  }
}

function wordsOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'it has expired; the clocks of provider and server may be apart';
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'iat' || error.claim === 'nbf')
      return 'it is from the future; the clocks of provider and server are apart';
    return `its "${error.claim}" is not right`;
  }
  return 'its signature is not one of the provider';
}

function wrongToken(what: string, cause?: unknown): WheelhouseError {
  return new WheelhouseError('UNAUTHENTICATED', `The provider's answer was not accepted: ${what}.`, {
    hint: 'Sign in again. If it stays, tell the owner of this server.',
    cause,
  });
}

function again(what: string): WheelhouseError {
  return new WheelhouseError('UNAUTHENTICATED', `This sign-in did not work: ${what}.`, { hint: 'Sign in again.' });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
