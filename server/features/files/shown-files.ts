import type { DownloadView, FilesNews, FileOrigin, FileView } from '@/lib/files/views';
import { guestDownload, guestFile, isFileOfGuest, type GuestSight } from '@/lib/links/guest-view';
import type { Emitter } from '@/server/browser/emitter';
import type { Download } from '@/server/browser/files/download';
import type { Downloads } from '@/server/browser/files/downloads';
import type { OpenFile, SessionFiles } from '@/server/browser/files/session-files';

/** The files and downloads of a session as one caller sees them: a guest of a share link not all (AU4). */
export class ShownFiles {
  /** @param sight undefined for a member, who sees all */
  constructor(
    private readonly all: {
      readonly sessionFiles: SessionFiles;
      readonly downloads: Downloads;
      readonly onChange: Emitter<[files: boolean]>;
    },
    private readonly sight: GuestSight | undefined,
  ) {}

  /** Files or downloads of the session changed; `files` is true when a file was added or removed. */
  get onChange(): Emitter<[files: boolean]> {
    return this.all.onChange;
  }

  list(): FileView[] {
    const files = this.all.sessionFiles.list(this.#sees);
    return this.sight ? files.map(guestFile) : files;
  }

  /** Throws PATH_DENIED, NOT_FOUND. */
  open(name: string): Promise<OpenFile> {
    return this.all.sessionFiles.open(name, this.#sees);
  }

  /** Paths to pass to Chrome. Throws PATH_DENIED, NOT_FOUND naming the file. */
  paths(names: readonly string[]): Promise<string[]> {
    return this.all.sessionFiles.paths(names, this.#sees);
  }

  /** Participant id of who added the file, if known. Throws PATH_DENIED, NOT_FOUND. */
  ownerOf(name: string): string | undefined {
    return this.all.sessionFiles.ownerOf(name, this.#sees);
  }

  /** All remembered downloads, oldest first. */
  downloads(): DownloadView[] {
    return this.#shown(this.all.downloads.all());
  }

  /**
   * The present state.
   * @param files includes the list of files
   */
  news(files: boolean): FilesNews {
    return {
      ...(files ? { files: this.list() } : {}),
      downloads: this.#shown(this.all.downloads.open()),
      ...this.all.sessionFiles.space,
    };
  }

  viewOf({ view }: Download): DownloadView {
    return this.sight ? guestDownload(view, this.sight) : view;
  }

  #shown(downloads: readonly Download[]): DownloadView[] {
    return downloads
      .filter(({ tabs, by }) => this.#sees({ from: 'download', owner: by?.id, tabs }))
      .map((one) => this.viewOf(one));
  }

  readonly #sees = (file: FileOrigin): boolean => this.sight === undefined || isFileOfGuest(file, this.sight);
}
