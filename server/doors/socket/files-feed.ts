import { Timer } from '@/lib/async/timers';
import type { Clock } from '@/lib/budget/clock';
import type { FilesNews } from '@/lib/files/views';
import type { FileTransfers } from '@/server/features/files/file-transfers';

/** News is told at most this often, however fast a download goes. Milliseconds. */
const TELL_EVERY_MS = 200;

/** Tells one connection what becomes of the files and downloads of one session (DI2). */
export class FilesFeed {
  readonly #off: () => void;
  readonly #timer: Timer;
  #files = false;

  constructor(
    private readonly source: FileTransfers,
    clock: Clock,
    private readonly tell: (news: FilesNews) => void,
  ) {
    this.#timer = new Timer(clock);
    this.#off = source.onChange.on((files) => this.#plan(files));
  }

  /** How it stands. @param files the list of files too */
  news(files: boolean): FilesNews {
    const { sessionFiles, downloads } = this.source;
    return {
      ...(files ? { files: sessionFiles.list() } : {}),
      downloads: downloads.open().map(({ view }) => view),
      ...sessionFiles.space,
    };
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
