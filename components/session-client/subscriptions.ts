/** Something that must be open on the server for as long as somebody on the page wants it. */
export interface Subscription {
  /** Opens it; called once at the start and again after every reconnect. */
  readonly open: () => void;
  /** Closes it; called when nobody wants it any more, also when the line is lost. */
  readonly close: () => void;
  /** Others stand on it: opened before those. */
  readonly first?: boolean;
}

interface ActiveSubscription {
  readonly subscription: Subscription;
  wanted: number;
  opened: boolean;
}

/**
 * What this page keeps open, counted by key: opened once for all who want it, and again after every reconnect.
 * React runs the effects of children before those of their parents and takes parents away before their children, so
 * whoever looks at a session asks before whoever joins it and gives up after it. Therefore all but `first` orders are
 * opened, and `first` ones closed, when the current run of effects is over.
 */
export class Subscriptions {
  readonly #subscriptions = new Map<string, ActiveSubscription>();
  readonly #isOnline: () => boolean;

  constructor(isOnline: () => boolean) {
    this.#isOnline = isOnline;
  }

  /** Keeps `order` open until the returned function was called (once; further calls do nothing). */
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

  /** Opens everything again: the server has forgotten the old connection. */
  reopen(): void {
    const all = [...this.#subscriptions.values()];
    for (const kept of all) kept.opened = false;
    for (const kept of all) if (kept.subscription.first) this.#open(kept);
    for (const kept of all) this.#open(kept);
  }

  /** Opens one anew: what came of it before does not hold any more. */
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
