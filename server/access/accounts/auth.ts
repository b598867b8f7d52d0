import { passkey } from '@better-auth/passkey';
import { kyselyAdapter } from '@better-auth/kysely-adapter';
import { betterAuth } from 'better-auth/minimal';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { newId } from '@/server/store/ids';
import type { Store } from '@/server/store/store';
import type { Site } from '../sites';
import type { MemoryStorage } from './memory-storage';

export interface AuthParts {
  readonly store: Pick<Store, 'accounts' | 'accountsSecret'>;
  readonly storage: MemoryStorage;
  readonly password: {
    readonly hash: (password: string) => Promise<string>;
    readonly verify: (given: { readonly hash: string; readonly password: string }) => Promise<boolean>;
  };
}

/** How long one of better-auth's sessions would live if its call did not end it, seconds. */
const SESSION_S = 300;

export type Auth = ReturnType<typeof authFor>;

/**
 * better-auth as a library for one address of this server (AU2): no path of it is mounted, the routes of the door call
 * its functions. It proves who a person is; our own cookie says that they are signed in.
 */
export function authFor({ store, storage, password }: AuthParts, site: Site, port: number) {
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
    emailAndPassword: { enabled: true, disableSignUp: true, password },
    advanced: {
      cookiePrefix: authCookiePrefix(port),
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
      }),
    ],
  });
}

/** What the names of better-auth's cookies begin with. They carry the port, because cookies are not scoped by port. */
export function authCookiePrefix(port: number): string {
  return `wh_auth_${port}`;
}
