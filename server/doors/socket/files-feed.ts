import { Timer } from '@/lib/async/timers';
import type { Clock } from '@/lib/budget/clock';
import type { FilesNews } from '@/lib/files/views';
import type { ShownFiles } from '@/server/features/files/shown-files';

/** The shortest interval between two messages, milliseconds, however fast a download runs. */
const TELL_EVERY_MS = 200;

/** Sends one connection the changes of one session's files and downloads (DI2). */
export class FilesFeed {
  readonly #off: () => void;
  readonly #timer: Timer;
  #files = false;

  constructor(
    private readonly source: ShownFiles,
    clock: Clock,
    private readonly tell: (news: FilesNews) => void,
  ) {
    this.#timer = new Timer(clock);
    this.#off = source.onChange.on((files) => this.#plan(files));
  }

  /**
   * The present state.
   * @param files includes the list of files
   */
  news(files: boolean): FilesNews {
    return this.source.news(files);
  }

  dispose(): void {
    this.#off();
    this.#timer.stop();
  }

  #plan(files: boolean): void {
    this.#files ||= files;
    this.#timer.ensure(TELL_EVERY_MS, () => {
      const all = this.#files;
      this.#files = false;
      this.tell(this.news(all));
    });
  }
}
