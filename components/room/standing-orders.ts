/** Something that must be open on the server for as long as somebody on the page wants it. */
export interface StandingOrder {
  /** Opens it; called once at the start and again after every reconnect. */
  readonly open: () => void;
  /** Closes it; called when nobody wants it any more. */
  readonly close: () => void;
  /** Others stand on it: opened before those after a reconnect. */
  readonly first?: boolean;
}

/** What this page keeps open, counted by key: opened once for all who want it, and again after every reconnect. */
export class StandingOrders {
  readonly #orders = new Map<string, { order: StandingOrder; wanted: number }>();
  readonly #isOnline: () => boolean;

  constructor(isOnline: () => boolean) {
    this.#isOnline = isOnline;
  }

  /** Keeps `order` open until the returned function was called (once; further calls do nothing). */
  keep(key: string, order: StandingOrder): () => void {
    const kept = this.#orders.get(key) ?? { order, wanted: 0 };
    this.#orders.set(key, kept);
    kept.wanted += 1;
    if (kept.wanted === 1 && this.#isOnline()) order.open();
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#drop(key, kept);
    };
  }

  /** Opens everything again: the server has forgotten the old connection. */
  reopen(): void {
    const orders = [...this.#orders.values()].map(({ order }) => order);
    for (const order of orders) if (order.first) order.open();
    for (const order of orders) if (!order.first) order.open();
  }

  #drop(key: string, kept: { order: StandingOrder; wanted: number }): void {
    kept.wanted -= 1;
    if (kept.wanted > 0) return;
    this.#orders.delete(key);
    if (this.#isOnline()) kept.order.close();
  }
}
