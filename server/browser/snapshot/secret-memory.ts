import type { DomFact, DomFacts } from '@/lib/snapshot/facts';

/**
 * Remembers which fields were secret: they stay so while their document lives, since a "show password" switch changes
 * the type, not the secret (SN6). Node ids are unique in a process, and a new main document starts afresh.
 */
export class SecretMemory {
  #loaderId = '';
  readonly #fields = new Set<number>();
  #all = false;

  /** Marks these fields, or all, as secret, whatever they look like (CO8). `loaderId` as in `apply`. */
  remember(loaderId: string, fields: readonly number[], all = false): void {
    this.#begin(loaderId);
    this.#all ||= all;
    for (const id of fields) this.#fields.add(id);
  }

  /**
   * Returns the facts with remembered fields marked secret, and remembers the new ones. `loaderId`: the main
   * document's; '' while it is unknown, which forgets nothing.
   */
  apply(loaderId: string, facts: DomFacts): DomFacts {
    this.#begin(loaderId);
    const revealed = new Map<number, DomFact>();
    for (const [id, fact] of facts) {
      if (fact.secret) this.#fields.add(id);
      else if (this.#fields.has(id) || (this.#all && fact.field === true)) revealed.set(id, { ...fact, secret: true });
    }
    return revealed.size === 0 ? facts : new Map([...facts, ...revealed]);
  }

  #begin(loaderId: string): void {
    if (loaderId === '' || loaderId === this.#loaderId) return;
    this.#fields.clear();
    this.#all = false;
    this.#loaderId = loaderId;
  }
}
