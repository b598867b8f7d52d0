import { Timer } from '@/lib/async/timers';
import type { CursorNews } from '@/lib/presence/cursors';
import { PRESENCE } from '@/server/features/presence/presence';
import type { OpenStream } from '@/server/features/streams/tab-streams';
import type { Session } from '@/server/session/session';

/** The shortest interval between two messages, milliseconds, however much the pointers move. */
const TELL_EVERY_MS = 100;

/** Sends a message; false: the connection takes nothing now, so that it would wait behind pictures. */
type SendCursors = (tab: string, news: CursorNews) => boolean;

/**
 * The viewer of one picture stream among the others (AU5): they see which tab the viewer looks at, and the viewer gets
 * the last place of each of their pointers that moved since the last message. Nothing waits in a queue, and the
 * pictures know nothing of it.
 */
export class StreamPresence {
  readonly #presence: ReturnType<typeof PRESENCE.of>;
  readonly #looks: (tab: string | undefined) => boolean;
  #off: (() => void) | undefined;
  readonly #timer: Timer;
  #tab: string | undefined;
  #stream: Pick<OpenStream, 'isShown'> | undefined;
  /** The viewer saw the page when they were last told of pointers. */
  #saw = false;
  #change = 0;
  /** Whose pointers the viewer sees. */
  #shown = new Set<string>();
  #sentAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly session: Session,
    private readonly viewer: string,
    private readonly send: SendCursors,
  ) {
    this.#presence = PRESENCE.of(session);
    this.#looks = session.participants.looks(viewer);
    this.#timer = new Timer(session.services.clock);
  }

  /** The stream shows this tab now; undefined: none. */
  show(tab: string | undefined, stream?: Pick<OpenStream, 'isShown'>): void {
    this.#off ??= this.#presence.onCursors.on(() => this.#plan());
    this.#stream = stream;
    this.#saw = stream?.isShown === true;
    this.#change = 0;
    // A page that was replaced has the same tab, and the client still shows the pointers of before.
    if (tab !== this.#tab) this.#shown = new Set();
    this.#tab = tab;
    this.#look(tab);
    this.#plan();
  }

  /** The stream shows the page from now on, or covers it: pointers that the viewer sees go at once. */
  shownChanged(): void {
    this.#tell();
  }

  dispose(): void {
    this.#off?.();
    this.#timer.stop();
    this.#tab = undefined;
    this.#look(undefined);
  }

  #look(tab: string | undefined): void {
    if (this.#looks(tab)) this.session.changed();
  }

  #plan(): void {
    const pause = this.#sentAt + TELL_EVERY_MS - this.session.services.clock.now();
    this.#timer.ensure(Math.max(0, pause), () => this.#tell());
  }

  #tell(): void {
    if (this.#tab === undefined) return;
    // Who sees no picture sees no pointer either, and none afterwards of the time between: above a covered page it
    // would say which digits somebody presses.
    const sees = this.#stream?.isShown === true;
    if (sees && !this.#saw) this.#change = this.#presence.change;
    this.#saw = sees;
    const { change, ...news } = this.#presence.news(this.#tab, this.#change, this.viewer);
    const moved = sees ? news.moved : [];
    const gone = sees ? news.gone.filter((who) => this.#shown.has(who)) : [...this.#shown];
    if (moved.length + gone.length > 0) {
      this.#sentAt = this.session.services.clock.now();
      if (!this.send(this.#tab, { moved, gone })) return this.#plan();
    }
    this.#change = change;
    for (const { who } of moved) this.#shown.add(who);
    for (const who of gone) this.#shown.delete(who);
  }
}
