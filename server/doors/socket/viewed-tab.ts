import type { Session } from '@/server/sessions/session';
import type { OpenStream, StreamWish } from '@/server/sessions/streams';

/** One stream of a connection: a fixed tab, or `active`, which follows what is acted on (SE2). */
export class ViewedTab {
  readonly #offs: (() => void)[] = [];
  #open: OpenStream | undefined;
  #shown: string | undefined;
  #stopHeart: (() => void) | undefined;

  constructor(
    private readonly session: Session,
    private readonly wish: StreamWish,
  ) {}

  /** Starts showing; a tab that is not there is told as lost. Throws TAB_NOT_FOUND for a fixed one. */
  show(tab: string): void {
    if (tab !== 'active') return this.#showTab(this.session.book.find(tab).tab.id);
    this.#offs.push(this.session.onChange.on(() => this.#follow()));
    this.#follow();
  }

  dispose(): void {
    for (const off of this.#offs.splice(0)) off();
    this.#close();
  }

  #follow(): void {
    const active = this.session.activeTab ?? this.session.book.all()[0]?.tab.id;
    if (active === this.#shown) return;
    if (active !== undefined) this.#showTab(active);
    else this.#lost();
  }

  #showTab(id: string): void {
    const seat = this.session.book.get(id);
    if (!seat) return this.#lost();
    this.#close();
    this.#shown = id;
    this.#open = seat.streams.open(this.wish);
    this.#stopHeart = seat.tab.heartbeat.want();
  }

  #lost(): void {
    this.#close();
    this.#shown = undefined;
    this.wish.status({ stream: this.wish.stream, tab: '', state: 'lost', reason: 'There is no tab to show.' });
  }

  #close(): void {
    this.#stopHeart?.();
    this.#stopHeart = undefined;
    this.#open?.close();
    this.#open = undefined;
  }
}
