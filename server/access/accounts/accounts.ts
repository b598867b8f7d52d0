import { isIP } from 'node:net';
import type { Store } from '@/server/store/store';
import type { Headers } from '../credential';
import type { SignIn } from '../sign-in';
import { hashPassword } from './password-hash';

interface AccountsParts {
  readonly store: Store;
  readonly signIn: SignIn;
  /** The cost of new hashes, as a power of two. */
  readonly passwordCost: number;
  readonly now: () => Date;
}

const NO_DOMAIN = { available: false, reason: 'ip-address' } as const;

/** How people prove who they are: passwords (AU2). */
export class Accounts {
  constructor(private readonly parts: AccountsParts) {}

  /** How people can sign in at the address that they have opened. */
  ways(headers: Headers) {
    const { hostname } = new URL(this.parts.signIn.siteOf(headers).origin);
    // A passkey belongs to a domain; browsers refuse to make one for an IP address.
    const passkey = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { available: true } : NO_DOMAIN;
    return { password: true, passkey, now: this.parts.now().toISOString() };
  }

  /**
   * The hash of a new password. It takes a fifth of a second: compute it before `Store.change`, and store it there by
   * `accounts.setPassword` of the tables.
   */
  hash(password: string): Promise<string> {
    return hashPassword(password, this.parts.passwordCost);
  }

  /** Gives a person a password, in place of the one they had. */
  async setPassword(person: string, password: string): Promise<void> {
    const { store, now } = this.parts;
    const hash = await this.hash(password);
    await store.change(({ accounts }) => accounts.setPassword(person, hash, now()));
  }
}
