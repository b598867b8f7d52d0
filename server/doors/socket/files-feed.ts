import type { Clock } from '@/lib/budget/clock';
import type { FilesNews } from '@/lib/files/views';
import type { FileTransfers } from '@/server/session/file-transfers';

/** News is told at most this often, however fast a download goes. Milliseconds. */
const TELL_EVERY_MS = 200;

/** Tells one connection what becomes of the files and downloads of one session (DI2). */
export class FilesFeed {
  readonly #off: () => void;
  #cancel: (() => void) | undefined;
  #files = false;

  constructor(
    private readonly source: FileTransfers,
    private readonly clock: Clock,
    private readonly tell: (news: FilesNews) => void,
  ) {
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
    this.#cancel?.();
  }

  #plan(files: boolean): void {
    this.#files ||= files;
    this.#cancel ??= this.clock.after(TELL_EVERY_MS, () => {
      const all = this.#files;
      [this.#cancel, this.#files] = [undefined, false];
      this.tell(this.news(all));
    });
  }
}
