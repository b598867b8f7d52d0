import type { Limits } from '@/server/config/limits';
import { credentialName, type Principal } from './principal';
import { quotaError, type QuotaName } from './quota';
import { Slots } from './slots';

/**
 * How many connections are open: of one name, of one key or sign-in whatever names it gives itself, and in all (BR7).
 */
export class SocketPlaces {
  readonly #ofName: Slots;
  readonly #ofKey: Slots;
  readonly #ofServer: Slots;

  constructor(caps: Limits) {
    this.#ofName = new Slots(caps['sockets-name']);
    this.#ofKey = new Slots(caps.sockets);
    this.#ofServer = new Slots(caps['sockets-server']);
  }

  /** Throws QUOTA when there is no place for one more. */
  check(principal: Pick<Principal, 'id' | 'credential'>): void {
    for (const [setting, slots, key] of this.#countedBy(principal)) {
      if (slots.inUse(key) >= slots.max) throw quotaError(setting, slots.inUse(key), slots.max);
    }
  }

  /** Takes a place; the returned function gives it back, once. Throws QUOTA. */
  take(principal: Pick<Principal, 'id' | 'credential'>): () => void {
    this.check(principal);
    const gives = this.#countedBy(principal).map(([, slots, key]) => slots.take(key));
    return () => gives.forEach((give) => give?.());
  }

  #countedBy({ id, credential }: Pick<Principal, 'id' | 'credential'>): [QuotaName, Slots, string][] {
    return [
      ['sockets-name', this.#ofName, id],
      ['sockets', this.#ofKey, credentialName(credential)],
      ['sockets-server', this.#ofServer, ''],
    ];
  }
}
