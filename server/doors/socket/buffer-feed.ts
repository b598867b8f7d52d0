import { Timer } from '@/lib/async/timers';
import type { Clock } from '@/lib/budget/clock';
import { summaryOf } from '@/lib/buffers/entries';
import type { BufferNews } from '@/lib/buffers/news';
import type { TabWatch } from '@/server/browser/watch/tab-watch';

/** The shortest interval between two messages, milliseconds, however much the page logs. */
const TELL_EVERY_MS = 250;

/** Sends one connection the new rows of one tab's buffers (PS1). */
export class BufferFeed {
  readonly #off: () => void;
  #cursors = { console: 0, errors: 0, requests: 0 };
  readonly #timer: Timer;

  constructor(
    private readonly watch: TabWatch,
    clock: Clock,
    private readonly tell: (news: BufferNews) => void,
  ) {
    this.#timer = new Timer(clock);
    this.#off = watch.onChange.on(() => this.#plan());
  }

  /** All rows since the last call; the first call returns all rows. */
  news(): BufferNews {
    const { console, errors, requests } = this.watch;
    const asked = requests.ring.news(this.#cursors.requests);
    const news = {
      console: console.news(this.#cursors.console),
      errors: errors.news(this.#cursors.errors),
      requests: { ...asked, items: asked.items.map(summaryOf) },
    };
    this.#cursors = { console: news.console.next, errors: news.errors.next, requests: news.requests.next };
    return { console: listed(news.console), errors: listed(news.errors), requests: news.requests };
  }

  dispose(): void {
    this.#off();
    this.#timer.stop();
  }

  #plan(): void {
    this.#timer.ensure(TELL_EVERY_MS, () => this.tell(this.news()));
  }
}

function listed<T extends { readonly items: readonly unknown[] }>(news: T): T & { items: T['items'][number][] } {
  return { ...news, items: [...news.items] };
}
