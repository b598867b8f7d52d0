/** A subscription that stays open on the server while some part of the page uses it. */
export interface Subscription {
  /** Opens it; called at the start and after every reconnect. */
  readonly open: () => void;
  /** Closes it; called when no part of the page uses it any more, also while the connection is lost. */
  readonly close: () => void;
  /** True when others depend on it: it is opened before them. */
  readonly first?: boolean;
}

interface ActiveSubscription {
  readonly subscription: Subscription;
  wanted: number;
  opened: boolean;
}

/**
 * The page's subscriptions, counted by key: each is opened once for all its users, and again after every reconnect.
 * React runs the effects of children before those of their parents, and unmounts parents before their children. A part
 * that watches something of a session therefore subscribes before the part that joins the session, and unsubscribes
 * after it. So all but `first` subscriptions are opened, and `first` ones closed, in a microtask after the current
 * effects.
 */
export class Subscriptions {
  readonly #subscriptions = new Map<string, ActiveSubscription>();
  readonly #isOnline: () => boolean;

  constructor(isOnline: () => boolean) {
    this.#isOnline = isOnline;
  }

  /** Keeps the subscription open until the returned function is called; calling it again does nothing. */
  keep(key: string, subscription: Subscription): () => void {
    const kept = this.#subscriptions.get(key) ?? { subscription, wanted: 0, opened: false };
    this.#subscriptions.set(key, kept);
    kept.wanted += 1;
    if (subscription.first) this.#open(kept);
    else queueMicrotask(() => this.#open(kept));
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#drop(key, kept);
    };
  }

  /** Opens all subscriptions again: the server has forgotten those of the old connection. */
  reopen(): void {
    const all = [...this.#subscriptions.values()];
    for (const kept of all) kept.opened = false;
    for (const kept of all) if (kept.subscription.first) this.#open(kept);
    for (const kept of all) this.#open(kept);
  }

  /** Opens one again, because its state here is no longer valid. */
  again(key: string): void {
    const kept = this.#subscriptions.get(key);
    if (!kept) return;
    kept.opened = false;
    this.#open(kept);
  }

  #open(kept: ActiveSubscription): void {
    if (kept.opened || kept.wanted === 0 || !this.#isOnline()) return;
    kept.opened = true;
    kept.subscription.open();
  }

  #drop(key: string, kept: ActiveSubscription): void {
    kept.wanted -= 1;
    if (kept.wanted > 0) return;
    if (kept.subscription.first) queueMicrotask(() => this.#close(key, kept));
    else this.#close(key, kept);
  }

  #close(key: string, kept: ActiveSubscription): void {
    if (kept.wanted > 0 || this.#subscriptions.get(key) !== kept) return;
    this.#subscriptions.delete(key);
    if (kept.opened) kept.subscription.close();
  }
}
