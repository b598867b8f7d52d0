/**
 * Remembers which fields were passwords before the page turned them into something else: a "show password" switch
 * changes the type, not the secret (security.md 1.7). Runs inside the page, from when its document is read on.
 */
export class PagePasswords {
  readonly #were = new WeakSet<Node>();
  readonly #changes: MutationObserver;

  constructor() {
    this.#changes = new MutationObserver((changes) => this.#take(changes));
    this.#changes.observe(document, {
      subtree: true,
      attributes: true,
      attributeFilter: ['type'],
      attributeOldValue: true,
    });
  }

  was(element: Element): boolean {
    this.#take(this.#changes.takeRecords());
    return this.#were.has(element);
  }

  #take(changes: readonly MutationRecord[]): void {
    for (const { target, oldValue } of changes)
      if (oldValue?.trim().toLowerCase() === 'password') this.#were.add(target);
  }
}
