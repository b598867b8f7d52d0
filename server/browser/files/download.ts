import { safeName } from '@/lib/files/file-name';
import type { DownloadView, FileView } from '@/lib/files/views';
import type { FileMaker } from './session-files';

export type DownloadFailure = NonNullable<DownloadView['failure']>;

/** Why a download failed, worded as the rest of a sentence. */
const REASONS: Readonly<Record<DownloadFailure, string>> = {
  broken: 'it broke off',
  cancelled: 'it was cancelled',
  quota: 'it is larger than this session may keep',
  disk: 'the server could not keep it',
};

/** The beginning of a download, as Chrome reports it. */
export interface DownloadStart {
  readonly guid: string;
  /**
   * The tab of the download and the tab that opened it: Chrome closes a popup that only downloads. Empty when unknown.
   */
  readonly tabs: readonly string[];
  readonly url: string;
  readonly suggested: string;
}

/** One download of the session. Sizes in bytes. */
export class Download implements DownloadStart {
  state: DownloadView['state'] = 'running';
  received = 0;
  total = 0;
  failure: DownloadFailure | undefined;
  /** The file that the download became. */
  file: FileView | undefined;
  /** Whether a caller has waited for it, or was told of it as done. */
  taken = false;
  readonly guid: string;
  readonly tabs: readonly string[];
  readonly url: string;
  readonly suggested: string;
  readonly startedAt = new Date().toISOString();

  /** @param by who drove the tab */
  constructor(
    readonly number: number,
    { guid, tabs, url, suggested }: DownloadStart,
    readonly by: FileMaker | undefined,
  ) {
    this.guid = guid;
    this.tabs = tabs;
    this.url = url;
    this.suggested = suggested;
  }

  get id(): string {
    return `dl${this.number}`;
  }

  /** Why it failed, worded as the rest of a sentence. */
  get reason(): string | undefined {
    return this.failure && REASONS[this.failure];
  }

  get view(): DownloadView {
    const {
      id,
      url,
      state,
      received,
      total,
      reason,
      failure,
      startedAt,
      by,
      tabs: [tab],
    } = this;
    const name = this.file?.name ?? safeName(this.suggested);
    return {
      id,
      name,
      url,
      state,
      received,
      total,
      startedAt,
      ...(reason && { reason }),
      ...(failure && { failure }),
      ...(tab === undefined ? {} : { tab }),
      ...(by === undefined ? {} : { by: by.name }),
    };
  }
}
