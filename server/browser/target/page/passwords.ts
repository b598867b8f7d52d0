/**
 * Remembers which fields were passwords before the page changed their type: a "show password" switch changes the type,
 * not the secret (SN6). Runs inside the page, from the first reading of its document on.
 */
export class PagePasswords {
  readonly #were = new WeakSet<Node>();
  readonly #changes: MutationObserver;
  #revealed = new Set<Node>();

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

  /** The fields that stopped being passwords since the last call. */
  revealed(): ReadonlySet<Node> {
    this.#take(this.#changes.takeRecords());
    const revealed = this.#revealed;
    this.#revealed = new Set();
    return revealed;
  }

  #take(changes: readonly MutationRecord[]): void {
    for (const { target, oldValue } of changes)
      if (oldValue?.trim().toLowerCase() === 'password') {
        this.#were.add(target);
        this.#revealed.add(target);
      }
  }
}
