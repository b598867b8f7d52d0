import { credentialName, type Credential, type Principal } from './principal';

export type RevokedListener = (credential: Credential) => void;

/**
 * The live revision of every credential in use (R3). One server owns the data directory, so memory is the truth; what
 * is revoked here is refused at the next question and its listeners close sockets and calls at once.
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

  /** Still the same revision, and not past its end? */
  isLive(principal: Principal): boolean {
    if (principal.expiresAt !== undefined && principal.expiresAt <= this.#now().getTime()) return false;
    return this.revOf(principal.credential) === principal.rev;
  }

  /** Makes every principal of this credential dead and tells who must end its sockets and calls. */
  bump(credential: Credential): void {
    this.#revs.set(credentialName(credential), this.revOf(credential) + 1);
    for (const listener of [...this.#listeners]) listener(credential);
  }

  /** Returns the function that stops listening. */
  onRevoked(listener: RevokedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
