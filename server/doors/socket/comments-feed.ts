import { Timer } from '@/lib/async/timers';
import type { Clock } from '@/lib/budget/clock';
import type { CommentView } from '@/lib/comments/comment';
import type { Principal } from '@/server/access/principal';
import type { Comments } from '@/server/features/comments/comments';

/** The shortest interval between two messages, milliseconds. */
const TELL_EVERY_MS = 100;

/** How long a busy connection waits for its message at most, milliseconds. */
const WAIT_MS = 2_000;

/**
 * Sends one connection the comments of one session that are new or changed (TL3). While the connection has unsent data
 * it keeps only their ids, and sends one message in two seconds at most.
 */
export class CommentsFeed {
  readonly #off: () => void;
  readonly #timer: Timer;
  readonly #changed = new Set<string>();
  #triedFor = 0;

  constructor(
    private readonly comments: Comments,
    private readonly viewer: Principal,
    clock: Clock,
    private readonly connection: { isWritable: () => boolean; tell: (changed: CommentView[]) => void },
  ) {
    this.#timer = new Timer(clock);
    this.#off = comments.follow((ids) => {
      for (const id of ids) this.#changed.add(id);
      this.#plan();
    });
  }

  dispose(): void {
    this.#off();
    this.#timer.stop();
  }

  #plan(): void {
    this.#timer.ensure(TELL_EVERY_MS, () => this.#tell());
  }

  #tell(): void {
    this.#triedFor += TELL_EVERY_MS;
    if (!this.connection.isWritable() && this.#triedFor < WAIT_MS) return this.#plan();
    this.#triedFor = 0;
    const changed = this.comments.views(this.#changed, this.viewer);
    this.#changed.clear();
    if (changed.length > 0) this.connection.tell(changed);
  }
}
