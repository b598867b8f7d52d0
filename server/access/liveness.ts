import { credentialName, type Credential, type Principal } from './principal';

export type RevokedListener = (credential: Credential) => void;

/**
 * The live revision of every credential in use (R3), in memory, because one server owns the data directory. After a
 * revocation the next check fails, and the listeners close sockets and calls at once.
 */
export class LiveCredentials {
  readonly #revs = new Map<string, number>();
  readonly #listeners = new Set<RevokedListener>();
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  revOf(credential: Credential): number {
    return this.#revs.get(credentialName(credential)) ?? 0;
  }

  /** Whether the revision is current and the credential has not expired. */
  isLive(principal: Principal): boolean {
    if (principal.expiresAt !== undefined && principal.expiresAt <= this.#now().getTime()) return false;
    return this.revOf(principal.credential) === principal.rev;
  }

  /** Invalidates every principal of this credential and calls the listeners, which end its sockets and calls. */
  bump(credential: Credential): void {
    this.#revs.set(credentialName(credential), this.revOf(credential) + 1);
    for (const listener of [...this.#listeners]) listener(credential);
  }

  /** Returns a function that removes the listener. */
  onRevoked(listener: RevokedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
