import { isIP } from 'node:net';
import { APIError } from 'better-auth/api';
import { WheelhouseError } from '@/lib/errors/error';
import type { Store } from '@/server/store/store';
import { readCookies } from '../cookies';
import { single, type Headers } from '../credential';
import type { AccessLimits } from '../limits';
import type { Admitted, SignIn } from '../sign-in';
import type { Site } from '../sites';
import { authCookiePrefix, authFor, type Auth } from './auth';
import { Lane } from './lane';
import { MemoryStorage } from './memory-storage';
import { hashPassword, isPasswordOf } from './password-hash';

interface AccountsParts {
  readonly store: Store;
  readonly signIn: SignIn;
  readonly limits: AccessLimits;
  /** The cost of new hashes, as a power of two. */
  readonly passwordCost: number;
  readonly port: () => number;
  readonly now: () => Date;
}

/** A request of a page: its headers, and the address that limits count. */
export interface PageRequest {
  readonly headers: Headers;
  readonly address: string;
}

/** What a right password leads to. */
export type PasswordOutcome =
  | ({ readonly kind: 'signedIn' } & Admitted)
  /** A code is asked for next. */
  | { readonly kind: 'secondFactor'; readonly setCookies: readonly string[] };

/** How many hashes may wait for their turn, in each of the two lanes. */
const MOST_WAITING = 20;
const NO_DOMAIN = { available: false, reason: 'ip-address' } as const;

/** How people prove who they are: passwords (AU2). */
export class Accounts {
  readonly #parts: AccountsParts;
  readonly #storage: MemoryStorage;
  /** By origin. */
  readonly #auths = new Map<string, Auth>();
  /** Strangers who guess do not hold up those whose browser is known (T15). */
  readonly #strangers = new Lane(MOST_WAITING);
  readonly #known = new Lane(MOST_WAITING);
  #hashes = 0;

  constructor(parts: AccountsParts) {
    this.#parts = parts;
    this.#storage = new MemoryStorage(parts.now);
  }

  /** How many hashes of passwords were computed so far. */
  get hashes(): number {
    return this.#hashes;
  }

  /** How many sign-ins and challenges wait for their next step. */
  get pending(): number {
    return this.#storage.size;
  }

  /** How people can sign in at the address that they have opened. */
  ways(headers: Headers) {
    const { hostname } = new URL(this.#parts.signIn.siteOf(headers).origin);
    // A passkey belongs to a domain; browsers refuse to make one for an IP address.
    const passkey = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { available: true } : NO_DOMAIN;
    return { password: true, passkey, now: this.#parts.now().toISOString() };
  }

  /**
   * The hash of a new password. It takes a fifth of a second: compute it before `Store.change`, and store it there by
   * `accounts.setPassword` of the tables.
   */
  hash(password: string): Promise<string> {
    return this.#known.run(() => this.#hash(password));
  }

  /** Gives a person a password, in place of the one they had. */
  async setPassword(person: string, password: string): Promise<void> {
    const { store, now } = this.#parts;
    const hash = await this.hash(password);
    await store.change(({ accounts }) => accounts.setPassword(person, hash, now()));
  }

  /**
   * Signs a person in by address and password. Counts each try before any hash is computed: of a browser that the
   * person signed in with before by itself, of all others together (T15). Throws UNAUTHENTICATED, the same for an
   * unknown address and a wrong password, and RATE_LIMITED.
   */
  async signInByPassword(
    { email, password }: { readonly email: string; readonly password: string },
    request: PageRequest,
  ): Promise<PasswordOutcome> {
    const { store, signIn, limits } = this.#parts;
    const person = await store.people.byEmail(email);
    const known = await signIn.knownBrowser(person?.id ?? '', request.headers);
    if (known === undefined) {
      await limits.passwordsPerAddress.demand(request.address);
      await limits.passwordsPerAccount.demand(email);
    } else await limits.passwordsPerKnownBrowser.demand(known);
    const lane = known === undefined ? this.#strangers : this.#known;
    const { response, headers } = await lane.run(() => this.#checkPassword(email, password, request.headers));
    if (known === undefined) {
      await limits.passwordsPerAddress.refund(request.address);
      await limits.passwordsPerAccount.reset(email);
    } else await limits.passwordsPerKnownBrowser.reset(known);
    if ('twoFactorRedirect' in response) return { kind: 'secondFactor', setCookies: this.#passedOn(headers) };
    return { kind: 'signedIn', ...(await this.#admit(response, 'password', request)) };
  }

  async #checkPassword(email: string, password: string, headers: Headers) {
    const { auth, cookies } = this.#auth(headers);
    try {
      return await auth.api.signInEmail({ body: { email, password }, headers: cookies, returnHeaders: true });
    } catch (thrown) {
      if (codeOf(thrown) !== 'INVALID_EMAIL_OR_PASSWORD') throw thrown;
      throw new WheelhouseError('UNAUTHENTICATED', 'The address or the password is wrong.', { cause: thrown });
    }
  }

  /** Ends better-auth's session, and signs in the person whom it proved. */
  async #admit(
    { token, user }: { readonly token: string; readonly user: { readonly id: string } },
    factor: 'password' | 'password+code',
    request: PageRequest,
  ): Promise<Admitted> {
    const { internalAdapter } = await this.#auth(request.headers).auth.$context;
    await internalAdapter.deleteSession(token);
    return this.#parts.signIn.admitPerson(user.id, factor, request);
  }

  /** better-auth for the site of a request, and the cookies of the request that are its own. */
  #auth(headers: Headers): { readonly auth: Auth; readonly cookies: globalThis.Headers } {
    const { signIn, port } = this.#parts;
    const site = signIn.siteOf(headers);
    const auth = this.#auths.get(site.origin) ?? this.#makeAuth(site);
    const names = COOKIES.map((name) => `${authCookiePrefix(port())}.${name}`);
    const own = names.flatMap((name) =>
      readCookies(single(headers, 'cookie'), name).map((value) => `${name}=${value}`),
    );
    return { auth, cookies: new globalThis.Headers({ cookie: own.join('; ') }) };
  }

  #hash(password: string): Promise<string> {
    this.#hashes += 1;
    return hashPassword(password, this.#parts.passwordCost);
  }

  #isPasswordOf(hash: string, password: string): Promise<boolean> {
    this.#hashes += 1;
    return isPasswordOf(hash, password);
  }

  #makeAuth(site: Site): Auth {
    const { store, port } = this.#parts;
    const password = {
      hash: (text: string) => this.#hash(text),
      verify: ({ hash, password: text }: { hash: string; password: string }) => this.#isPasswordOf(hash, text),
    };
    const auth = authFor({ store, storage: this.#storage, password }, site, port());
    this.#auths.set(site.origin, auth);
    return auth;
  }

  /** Of the cookies that better-auth sets, those that the browser needs for its next call. */
  #passedOn(headers: globalThis.Headers): string[] {
    const names = COOKIES.map((name) => `${authCookiePrefix(this.#parts.port())}.${name}=`);
    return headers.getSetCookie().filter((cookie) => names.some((name) => cookie.startsWith(name)));
  }
}

/** The cookies of better-auth that a browser may have. Its session never leaves the server. */
const COOKIES = ['two_factor'] as const;

/** The code of an error of better-auth. Its messages are not passed on. */
function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof APIError ? thrown.body?.code : undefined;
}
