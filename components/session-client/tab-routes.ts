type Listener<News> = (news: News) => void;

/** Dispatches news of one tab, such as of its buffers, to their listeners. */
export class TabRoutes<News> {
  readonly #listeners = new Map<string, Set<Listener<News>>>();

  /** Adds a listener until the returned function is called. */
  add(session: string, tab: string, listener: Listener<News>): () => void {
    const key = keyOf(session, tab);
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(key);
    };
  }

  deliver(session: string, tab: string, news: News): void {
    for (const listener of this.#listeners.get(keyOf(session, tab)) ?? []) listener(news);
  }
}

function keyOf(session: string, tab: string): string {
  return `${session} ${tab}`;
}
