import type { Session } from '@/server/sessions/session';
import type { TabSeat } from '@/server/sessions/tab-seat';
import type { OpenStream, StreamWish } from '@/server/sessions/streams';

/** One stream of a connection: a fixed tab, or `active`, which follows what is acted on (SE2). */
export class ViewedTab {
  readonly #offs: (() => void)[] = [];
  #open: OpenStream | undefined;
  /** `nothing`: it has been told that there is no tab. */
  #shown: TabSeat | 'nothing' | undefined;
  #stopHeart: (() => void) | undefined;

  constructor(
    private readonly session: Session,
    private readonly wish: StreamWish,
  ) {}

  /** Starts showing; a tab that is not there is told as lost. Throws TAB_NOT_FOUND for a fixed one. */
  show(tab: string): void {
    const { book, onChange } = this.session;
    const fixed = tab === 'active' ? undefined : book.find(tab).tab.id;
    const follow = (): void => this.#follow(fixed ?? this.session.activeTab ?? book.all()[0]?.tab.id);
    this.#offs.push(onChange.on(follow));
    follow();
  }

  dispose(): void {
    for (const off of this.#offs.splice(0)) off();
    this.#close();
  }

  /** A tab that was opened anew has another seat under the same id. */
  #follow(id: string | undefined): void {
    const seat = id === undefined ? undefined : this.session.book.get(id);
    if (this.#shown === (seat ?? 'nothing')) return;
    if (seat) this.#showTab(seat);
    else this.#lost();
  }

  #showTab(seat: TabSeat): void {
    this.#close();
    this.#shown = seat;
    this.#open = seat.streams.open(this.wish);
    this.#stopHeart = seat.tab.heartbeat.want();
  }

  #lost(): void {
    this.#close();
    this.#shown = 'nothing';
    this.wish.status({ stream: this.wish.stream, tab: '', state: 'lost', reason: 'There is no tab to show.' });
  }

  #close(): void {
    this.#stopHeart?.();
    this.#stopHeart = undefined;
    this.#open?.close();
    this.#open = undefined;
  }
}
