import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { z } from 'zod';
import type { Budget } from '@/lib/budget/budget';
import { parseUrl } from '@/lib/text/url';
import { ProviderError, type Dialer } from './dialer';

/** How long what the provider says about itself is used. Milliseconds. */
const FRESH_MS = 3_600_000;
/** Keys are not fetched more often, whatever tokens name. Milliseconds. */
const KEYS_AGAIN_MS = 30_000;

const words = z.array(z.string().max(200)).max(200).optional();
const address = z.string().max(2_000);
const documentSchema = z.object({
  issuer: address,
  authorization_endpoint: address,
  token_endpoint: address,
  jwks_uri: address,
  userinfo_endpoint: address.optional(),
  token_endpoint_auth_methods_supported: words,
});
const keysSchema = z.object({
  keys: z.array(z.looseObject({ kty: z.string().max(20), kid: z.string().max(500).optional() })).max(100),
});

export interface Provider {
  readonly authorizationUrl: URL;
  readonly tokenUrl: URL;
  readonly keysUrl: URL;
  /** Tells who an access token is for. */
  readonly profileUrl: URL | undefined;
  /** How the client proves itself: in a header, or in the body. */
  readonly clientAuth: 'basic' | 'body';
}

type KeySet = ReturnType<typeof createLocalJWKSet>;

interface Kept<T> {
  readonly value: T;
  readonly at: number;
}

/** What the provider says about itself, and its keys (AU2). Nothing is asked before the first sign-in needs it. */
export class Discovery {
  #provider: Kept<Provider> | undefined;
  #keys: Kept<KeySet> | undefined;

  constructor(
    private readonly issuer: string,
    private readonly dialer: Dialer,
    private readonly now: () => number,
  ) {}

  /** Throws `ProviderError`, and what ends the budget. */
  async provider(budget: Budget): Promise<Provider> {
    if (this.#provider && this.now() - this.#provider.at < FRESH_MS) return this.#provider.value;
    const url = new URL(`${this.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    const { status, json } = await this.dialer.json(budget, url, { method: 'GET' });
    const parsed = documentSchema.safeParse(json);
    if (status !== 200 || !parsed.success)
      throw new ProviderError(`${url.href} is no discovery document (status ${status})`);
    if (parsed.data.issuer !== this.issuer)
      throw new ProviderError(
        `the provider calls itself "${parsed.data.issuer.slice(0, 200)}", which OIDC_ISSUER is not`,
      );
    const value = this.#read(parsed.data);
    this.#provider = { value, at: this.now() };
    return value;
  }

  /** The provider's keys. @param again the keys that are known do not fit: fetch them, but not too often */
  async keys(budget: Budget, { again }: { readonly again: boolean }): Promise<KeySet> {
    const age = this.#keys === undefined ? Number.POSITIVE_INFINITY : this.now() - this.#keys.at;
    if (this.#keys && age < (again ? KEYS_AGAIN_MS : FRESH_MS)) return this.#keys.value;
    const { keysUrl } = await this.provider(budget);
    const { status, json } = await this.dialer.json(budget, keysUrl, { method: 'GET' });
    const parsed = keysSchema.safeParse(json);
    if (status !== 200 || !parsed.success) throw new ProviderError(`${keysUrl.href} has no keys (status ${status})`);
    const value = createLocalJWKSet(parsed.data satisfies JSONWebKeySet);
    this.#keys = { value, at: this.now() };
    return value;
  }

  #read(document: z.infer<typeof documentSchema>): Provider {
    const methods = document.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return {
      authorizationUrl: this.#endpoint(document.authorization_endpoint),
      tokenUrl: this.#endpoint(document.token_endpoint),
      keysUrl: this.#endpoint(document.jwks_uri),
      profileUrl: document.userinfo_endpoint === undefined ? undefined : this.#endpoint(document.userinfo_endpoint),
      clientAuth: methods.includes('client_secret_basic') ? 'basic' : 'body',
    };
  }

  /** Secrets and codes go to https only, or to the computer of a provider that the operator set as plain http. */
  #endpoint(text: string): URL {
    const url = parseUrl(text);
    const plain = url?.protocol === 'http:' && url.origin === new URL(this.issuer).origin;
    if (url && (url.protocol === 'https:' || plain) && url.username === '' && url.hash === '') return url;
    throw new ProviderError(`its discovery document names "${text.slice(0, 200)}", which is no https address`);
  }
}
