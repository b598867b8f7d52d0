import { tellAll, type Fault } from './listeners';
import { credentialName, type Credential, type Principal } from './principal';

export type RevokedListener = (credential: Credential) => void;

/** Sockets and calls end at once with their credential; a day is far longer than any of them lasts after that. */
const REMEMBERED_MS = 86_400_000;

/**
 * Which credentials have ended (R3), in memory, because one server owns the data directory. After a revocation the next
 * check fails, and the listeners close sockets and calls at once.
 */
export class LiveCredentials {
  /** The number of ends so far: the clock of stamps. */
  #ends = 0;
  /** By credential, oldest first: the stamp from which on a look-up sees that it has ended, and when that was. */
  readonly #endedAt = new Map<string, { readonly stamp: number; readonly at: number }>();
  readonly #listeners = new Set<RevokedListener>();
  readonly #now: () => Date;

  /** @param fault receives what a listener throws */
  constructor(
    now: () => Date,
    private readonly fault?: Fault,
  ) {
    this.#now = now;
  }

  /**
   * The `rev` of a principal. Read it before the credential is looked up: one that ends during the look-up is not live,
   * although the store may have answered with the state before.
   */
  stamp(): number {
    return this.#ends;
  }

  /**
   * Whether the credential has neither expired nor ended since its look-up began. One that is found expired ends right
   * afterwards for all of its sockets and calls.
   */
  isLive(principal: Principal): boolean {
    if (this.#hasEnded(principal)) return false;
    if (principal.expiresAt === undefined || principal.expiresAt > this.#now().getTime()) return true;
    queueMicrotask(() => {
      if (!this.#hasEnded(principal)) this.bump(principal.credential);
    });
    return false;
  }

  #hasEnded({ credential, rev }: Principal): boolean {
    return (this.#endedAt.get(credentialName(credential))?.stamp ?? 0) > rev;
  }

  /**
   * Invalidates every principal of this credential and calls the listeners, which end its sockets and calls. Call it
   * after the commit.
   */
  bump(credential: Credential): void {
    this.#ends += 1;
    const name = credentialName(credential);
    this.#endedAt.delete(name);
    this.#endedAt.set(name, { stamp: this.#ends, at: this.#now().getTime() });
    tellAll(this.#listeners, credential, this.fault);
  }

  /** How many ended credentials are remembered. */
  get remembered(): number {
    return this.#endedAt.size;
  }

  /** Forgets what ended long ago: no call and no connection of that time is left. Called once an hour. */
  prune(): void {
    const before = this.#now().getTime() - REMEMBERED_MS;
    for (const [name, { at }] of this.#endedAt) if (at < before) this.#endedAt.delete(name);
  }

  /** Returns a function that removes the listener. */
  onRevoked(listener: RevokedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
