import type { BufferNews } from '@/lib/buffers/news';

type BufferListener = (news: BufferNews) => void;

/** Dispatches news of a tab's console and network buffers to their listeners. */
export class BufferRoutes {
  readonly #sinks = new Map<string, Set<BufferListener>>();

  /** Adds a listener until the returned function is called. */
  add(session: string, tab: string, listener: BufferListener): () => void {
    const key = keyOf(session, tab);
    const sinks = this.#sinks.get(key) ?? new Set();
    this.#sinks.set(key, sinks.add(listener));
    return () => {
      sinks.delete(listener);
      if (sinks.size === 0) this.#sinks.delete(key);
    };
  }

  deliver(session: string, tab: string, news: BufferNews): void {
    for (const listener of this.#sinks.get(keyOf(session, tab)) ?? []) listener(news);
  }
}

function keyOf(session: string, tab: string): string {
  return `${session} ${tab}`;
}
