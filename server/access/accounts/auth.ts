import { passkey } from '@better-auth/passkey';
import { kyselyAdapter } from '@better-auth/kysely-adapter';
import { APIError } from 'better-auth/api';
import { betterAuth } from 'better-auth/minimal';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { serializeSignedCookie } from 'better-call';
import { WheelhouseError } from '@/lib/errors/error';
import { newId } from '@/server/store/ids';
import { readCookies } from '../cookies';
import { single, type Headers as RequestHeaders } from '../credential';
import type { Authentication } from '../authentication';
import type { AccessParts } from '../parts';
import type { Site } from '../sites';
import { meaningOf, USER_NOT_VERIFIED } from './auth-errors';
import { SerialQueue } from './serial-queue';
import { MemoryStorage } from './memory-storage';

interface Passwords {
  readonly hash: (password: string) => Promise<string>;
  readonly verify: (given: { readonly hash: string; readonly password: string }) => Promise<boolean>;
}

type AuthParts = AccessParts & { readonly authentication: Authentication; readonly passwords: Passwords };

/** How long one of better-auth's sessions would live if its call did not end it, seconds. */
const SESSION_S = 300;
/** Calls that wait for their turn to have a session of better-auth. */
const MOST_WAITING = 50;
/** The cookies of better-auth that a browser may have. Its session never leaves the server. */
const COOKIES = ['two_factor', 'better-auth-passkey'] as const;

type BetterAuth = ReturnType<typeof betterAuthFor>;

/** The call of a function of better-auth: it gets its cookies, and answers with the headers that it sets. */
type AuthCall<T> = (api: BetterAuth['api'], headers: Headers) => Promise<T>;

/**
 * better-auth as a library (AU2): no path of it is mounted, the routes of the door lead to its functions. It proves who
 * a person is; our own cookie says that they are signed in, and a session of better-auth ends in the call that made it.
 */
export class Auth {
  readonly #parts: AuthParts;
  readonly #storage: MemoryStorage;
  /**
   * Challenges of strangers who want to sign in by a passkey: a flood of them pushes out nobody who gave a password.
   */
  readonly #challenges: MemoryStorage;
  /** By storage and origin. */
  readonly #sites = new Map<MemoryStorage, Map<string, BetterAuth>>();
  readonly #sessions = new SerialQueue(MOST_WAITING, tooManyChanges);

  constructor(parts: AuthParts) {
    this.#parts = parts;
    this.#storage = new MemoryStorage(parts.now);
    this.#challenges = new MemoryStorage(parts.now);
  }

  /** How many sign-ins wait for their next step. */
  get pending(): number {
    return this.#storage.size;
  }

  /** Calls better-auth for a stranger. Throws its errors as ours. */
  async call<T>(headers: RequestHeaders, work: AuthCall<T>): Promise<T> {
    const cookie = this.#cookiesOf(headers).join('; ');
    return this.#meant(work(this.#of(headers).api, new Headers({ cookie })), false);
  }

  /** The same for a stranger who signs in by a passkey. */
  async callByPasskey<T>(headers: RequestHeaders, work: AuthCall<T>): Promise<T> {
    const cookie = this.#cookiesOf(headers).join('; ');
    return this.#meant(work(this.#of(headers, this.#challenges).api, new Headers({ cookie })), false);
  }

  /** The same for a signed-in person. One after the other, since the end of one ends all sessions of the person. */
  asUser<T>(person: string, headers: RequestHeaders, work: AuthCall<T>): Promise<T> {
    return this.#sessions.run(async () => {
      const auth = this.#of(headers);
      const { internalAdapter, authCookies, secret } = await auth.$context;
      const { token } = await internalAdapter.createSession(person);
      const own = await serializeSignedCookie(authCookies.sessionToken.name, token, secret);
      const cookie = [...this.#cookiesOf(headers), own.split(';')[0]].join('; ');
      try {
        return await this.#meant(work(auth.api, new Headers({ cookie })), true);
      } finally {
        await internalAdapter.deleteUserSessions(person);
      }
    });
  }

  /** Ends the session that better-auth made for somebody whom it proved. */
  async endSession(headers: RequestHeaders, token: string): Promise<void> {
    for (const storage of [this.#storage, this.#challenges])
      await (await this.#of(headers, storage).$context).internalAdapter.deleteSession(token);
  }

  /**
   * Of the cookies that better-auth sets, those that the browser needs for its next call.
   *
   * @param set the headers of better-auth's answer
   * @param headers those of the request
   */
  passedOn(set: Headers, headers: RequestHeaders): string[] {
    const names = this.#names(headers);
    return set.getSetCookie().filter((cookie) => names.some((name) => cookie.startsWith(`${name}=`)));
  }

  /**
   * The text of the cookie of a sign-in that waits for a code: that of the request, or the one that better-auth sets.
   * Undefined without one, or with several.
   */
  challengeOf(headers: RequestHeaders, set?: Headers): string | undefined {
    const [name = ''] = this.#names(headers);
    const header = set ? set.getSetCookie().join(';') : single(headers, 'cookie');
    const [challenge, ...more] = readCookies(header, name);
    return more.length > 0 ? undefined : challenge;
  }

  #of(headers: RequestHeaders, storage = this.#storage): BetterAuth {
    const { authentication } = this.#parts;
    const site = authentication.siteOf(headers);
    const sites = this.#sites.get(storage) ?? new Map<string, BetterAuth>();
    const auth = sites.get(site.origin) ?? betterAuthFor(this.#parts, storage, site);
    this.#sites.set(storage, sites.set(site.origin, auth));
    return auth;
  }

  #cookiesOf(headers: RequestHeaders): string[] {
    const header = single(headers, 'cookie');
    return this.#names(headers).flatMap((name) => readCookies(header, name).map((value) => `${name}=${value}`));
  }

  #names(headers: RequestHeaders): string[] {
    const { authentication, port } = this.#parts;
    return COOKIES.map((name) => `${prefixOf(authentication.siteOf(headers), port())}.${name}`);
  }

  async #meant<T>(answer: Promise<T>, signedIn: boolean): Promise<T> {
    try {
      return await answer;
    } catch (thrown) {
      throw meaningOf(thrown, this.#parts.now(), signedIn);
    }
  }
}

/**
 * What the names of better-auth's cookies begin with. Like that of our own, it contains the port, because cookies are
 * not scoped by port, or over TLS the prefix that keeps other hosts from setting one (T1).
 */
function prefixOf(site: Pick<Site, 'secure'>, port: number): string {
  return site.secure ? '__Host-wh_auth' : `wh_auth_${port}`;
}

function tooManyChanges(): WheelhouseError {
  return new WheelhouseError('RATE_LIMITED', 'Too many accounts change at this moment. Try again in a few seconds.', {
    details: { retryInMs: 5_000 },
  });
}

function demandVerified(userVerified: boolean | undefined): void {
  if (userVerified !== true) throw new APIError('BAD_REQUEST', { code: USER_NOT_VERIFIED });
}

function betterAuthFor({ store, passwords, port }: AuthParts, storage: MemoryStorage, site: Site) {
  const { hostname } = new URL(site.origin);
  return betterAuth({
    appName: 'Wheelhouse',
    baseURL: site.origin,
    secret: store.accountsSecret().toString('hex'),
    database: kyselyAdapter(store.accounts.database, { type: 'sqlite' }),
    secondaryStorage: storage,
    session: { expiresIn: SESSION_S },
    telemetry: { enabled: false },
    // The routes count calls before they come here.
    rateLimit: { enabled: false },
    logger: { disabled: true },
    user: { modelName: 'auth_user' },
    account: { modelName: 'auth_account' },
    emailAndPassword: { enabled: true, disableSignUp: true, password: passwords },
    advanced: {
      cookiePrefix: prefixOf(site, port()),
      useSecureCookies: false,
      defaultCookieAttributes: { secure: site.secure },
      database: { generateId: () => newId('a') },
    },
    plugins: [
      twoFactor({ issuer: 'Wheelhouse', twoFactorTable: 'auth_two_factor', allowPasswordless: true }),
      passkey({
        rpID: hostname,
        rpName: 'Wheelhouse',
        origin: site.origin,
        schema: { passkey: { modelName: 'auth_passkey' } },
        authenticatorSelection: { userVerification: 'required', residentKey: 'required' },
        // The library asks for the verification of the user, but accepts passkeys without it.
        registration: {
          afterVerification: ({ verification }) => demandVerified(verification.registrationInfo?.userVerified),
        },
        authentication: {
          afterVerification: ({ verification }) => demandVerified(verification.authenticationInfo.userVerified),
        },
      }),
    ],
  });
}
