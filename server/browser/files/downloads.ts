import { BoundedMap } from '@/lib/async/bounded-map';
import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import { FILE_LIMITS } from '@/lib/files/limits';
import { cleanText } from '@/lib/text/clean';
import { maskAddresses } from '@/lib/text/mask';
import type { EventParams } from '@/server/cdp/shapes/read';
import type { CdpSession } from '@/server/cdp/session';
import type { ChromeBrowser } from '../chrome-browser';
import { Emitter } from '../emitter';
import { Download, type DownloadStart, type DownloadFailure } from './download';
import type { FileMaker, SessionFiles } from './session-files';

/** Most downloads that are remembered; the oldest is forgotten first. */
const MOST_KEPT = 200;
const MAX_URL = 2_048;

type Progress = EventParams<'Page.downloadProgress'> & Pick<EventParams<'Browser.downloadProgress'>, 'filePath'>;

/** The cure for each failure. */
const ENDED: Readonly<Record<Exclude<DownloadFailure, 'quota'>, string>> = {
  broken:
    'The connection ended before all of it had come. Start the download again; when it breaks off again, the site is at fault.',
  cancelled: 'Somebody cancelled it. Ask them, or start the download again.',
  disk: 'The server could not write the file: its operator finds why in the log. Start the download again when there is room.',
};

export interface DownloadsInit {
  readonly sessionFiles: SessionFiles;
  /** The tab of the session that shows this frame, and its opener; empty when no tab does. */
  readonly tabsOf: (frameId: string) => readonly string[];
  /** The participant who drives the first of these tabs. */
  readonly driverOf: (tabs: readonly string[]) => FileMaker | undefined;
  /** Whether one of these tabs is held privately (CO8): neither name nor address of its downloads is kept then. */
  readonly hides: (tabs: readonly string[]) => boolean;
  /** Masks the known secrets of the session in a text (SN6). */
  readonly redact?: (text: string) => string;
}

/**
 * The downloads of a session's pages (DI2): Chrome writes them into the session's own folder under names of its own,
 * then they are moved into the session's files. Sources: Browser.setDownloadBehavior (allowAndName),
 * Browser.downloadWillBegin, Browser.downloadProgress.
 */
export class Downloads {
  /** A download began or ended. */
  readonly onChange = new Emitter<[Download]>();
  /** More of a download has arrived, or one was removed from the list. */
  readonly onProgress = new Emitter<[]>();
  readonly #all = new BoundedMap<string, Download>(MOST_KEPT);
  /** Tabs that reported a download before Chrome's own event of it, by guid. */
  readonly #claims = new BoundedMap<string, readonly string[]>(MOST_KEPT);
  /** Downloads that began in frames of no known tab. */
  readonly #unknown = new BoundedMap<string, DownloadStart>(MOST_KEPT);
  #count = 0;
  #browser: ChromeBrowser | undefined;
  /** False where the session uses an attached Chrome's default context, which downloads into its own folder. */
  #inOurFolder = true;
  #stop: (() => void) | undefined;

  constructor(private readonly init: DownloadsInit) {}

  /**
   * Redirects the downloads of these contexts to the session's folder. Call it before their pages are opened; it need
   * not be awaited. An empty list means the default context of an attached Chrome: its folder is its owner's choice,
   * and Chrome has one setting for all clients, so nothing is set there and its downloads are only reported.
   */
  follow(browser: ChromeBrowser, contexts: readonly string[]): void {
    this.dispose();
    this.#inOurFolder = contexts.length > 0;
    if (this.#inOurFolder) this.init.sessionFiles.makeIncoming();
    this.#browser = browser;
    if (!this.#inOurFolder) {
      this.#stop = browser.onGone.on(() => this.#lost());
      return;
    }
    const root = browser.lanes.commands.browser;
    const offs = [
      root.on('Browser.downloadWillBegin', (event) => this.#begins(event)),
      root.on('Browser.downloadProgress', (event) => this.#goesOn(event)),
      browser.onGone.on(() => this.#lost()),
    ];
    for (const browserContextId of contexts)
      void root.sendMayFail('Browser.setDownloadBehavior', {
        behavior: 'allowAndName',
        browserContextId,
        downloadPath: this.init.sessionFiles.incoming,
        eventsEnabled: true,
      });
    this.#stop = () => {
      for (const off of offs) off();
    };
  }

  /**
   * Listens to a tab's own report of its downloads: it comes just before Chrome's browser-level event, and also for
   * frames inside the page (Chromium 156). In a default context it is the only source. Sources: Page.downloadWillBegin,
   * Page.downloadProgress.
   */
  hear(page: CdpSession, tabs: () => readonly string[]): void {
    page.on('Page.downloadWillBegin', ({ guid, url, suggestedFilename }) => {
      if (this.#inOurFolder) this.#claims.set(guid, tabs());
      else this.#add({ guid, tabs: tabs(), url: cleanText(url, MAX_URL), suggested: suggestedFilename });
    });
    page.on('Page.downloadProgress', (event) => {
      if (!this.#inOurFolder) this.#goesOn(event);
    });
  }

  /** A mark for `since`: downloads that begin from here on are after it. */
  mark(): number {
    return this.#count;
  }

  /** The running and failed downloads, oldest first; a finished one is a file. */
  open(): Download[] {
    return [...this.#all.values()].filter(({ state }) => state !== 'done');
  }

  /** All remembered downloads, oldest first. */
  all(): Download[] {
    return [...this.#all.values()];
  }

  /** Throws NOT_FOUND. */
  find(id: string): Download {
    const download = this.all().find((one) => one.id === id);
    if (download) return download;
    throw new WheelhouseError('NOT_FOUND', `This session has no download "${id.slice(0, 40)}".`);
  }

  /**
   * Cancels a running download and removes it from the list; `cancelled` tells whether it was running. Throws
   * NOT_FOUND.
   */
  drop(id: string): { readonly download: Download; readonly cancelled: boolean } {
    const download = this.find(id);
    const cancelled = download.state === 'running';
    if (cancelled) this.#cancel(download, 'cancelled');
    this.#all.delete(download.guid);
    this.onProgress.emit();
    return { download, cancelled };
  }

  since(mark: number, tabs: readonly string[]): Download[] {
    return [...this.#all.values()].filter(
      (one) => one.number > mark && (one.tabs.length === 0 || one.tabs.some((tab) => tabs.includes(tab))),
    );
  }

  /** The next download of a tab that no caller has waited for, as soon as it has begun: after `mark`, or the oldest. */
  begun(budget: Budget, tab: string, mark: number | undefined): Promise<Download> {
    const find = (): Download | undefined => this.since(mark ?? 0, [tab]).find(({ taken }) => !taken);
    return budget.during('a download to begin', () => this.#until(find));
  }

  /**
   * The next download of a tab, once it has ended: one that began after `mark`, or, without a mark, the oldest that no
   * caller has waited for. Throws the reason of its failure: QUOTA, NAV_FAILED.
   */
  async next(budget: Budget, tab: string, mark: number | undefined): Promise<Download> {
    const one = await this.begun(budget, tab, mark);
    one.taken = true;
    await budget.during(`the download of ${one.view.name}`, () =>
      this.#until(() => (one.state === 'running' ? undefined : one)),
    );
    if (one.state === 'done') return one;
    const message = `${one.view.name} was not downloaded: ${one.reason ?? 'it broke off'}.`;
    throw one.failure === 'quota'
      ? new WheelhouseError('QUOTA', message, { details: { ...one.view } })
      : new WheelhouseError('NAV_FAILED', message, { hint: ENDED[one.failure ?? 'broken'], details: { ...one.view } });
  }

  dispose(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  #begins({ frameId, guid, url, suggestedFilename }: EventParams<'Browser.downloadWillBegin'>): void {
    const tabs = this.#claims.get(guid) ?? this.init.tabsOf(frameId);
    this.#claims.delete(guid);
    const begun = { guid, tabs, url: cleanText(url, MAX_URL), suggested: suggestedFilename };
    if (tabs.length > 0) this.#add(begun);
    else this.#unknown.set(guid, begun);
  }

  #goesOn({ guid, state, receivedBytes, totalBytes, filePath }: Progress): void {
    const known = this.#all.get(guid) ?? this.#stray(guid, filePath);
    if (!known || known.state !== 'running') return;
    known.received = receivedBytes;
    known.total = totalBytes;
    if (state === 'completed') void this.#completed(known);
    else if (state === 'canceled') this.#failed(known, 'broken');
    else if (
      this.#inOurFolder &&
      Math.max(receivedBytes, totalBytes) > Math.min(FILE_LIMITS.download, this.init.sessionFiles.freeBytes)
    )
      this.#cancel(known, 'quota');
    else this.onProgress.emit();
  }

  #cancel(download: Download, failure: DownloadFailure): void {
    this.#failed(download, failure);
    void this.#browser?.lanes.commands.browser.sendMayFail('Browser.cancelDownload', { guid: download.guid });
  }

  /** Fails the running downloads: their Chrome is gone. */
  #lost(): void {
    for (const download of this.open()) if (download.state === 'running') this.#failed(download, 'broken');
  }

  /**
   * Adds a download whose tab was never known, such as that of a popup which Chrome closed; recognised by the folder
   * that it was written to.
   */
  #stray(guid: string, filePath: string | undefined): Download | undefined {
    if (filePath === undefined || !filePath.startsWith(this.init.sessionFiles.incoming)) return undefined;
    return this.#add(this.#unknown.get(guid) ?? { guid, tabs: [], url: '', suggested: 'download' });
  }

  #add(begun: DownloadStart): Download {
    this.#count += 1;
    const { hides, redact = (text: string) => text } = this.init;
    const known = hides(begun.tabs)
      ? { ...begun, url: '', suggested: unnamed(begun.suggested) }
      : { ...begun, url: maskAddresses(redact(begun.url)), suggested: redact(begun.suggested) };
    const download = new Download(this.#count, known, this.init.driverOf(begun.tabs));
    this.#unknown.delete(begun.guid);
    this.#all.set(begun.guid, download);
    this.onChange.emit(download);
    return download;
  }

  async #completed(download: Download): Promise<void> {
    try {
      if (this.#inOurFolder) download.file = await this.init.sessionFiles.adopt(download);
      download.state = 'done';
      this.onChange.emit(download);
    } catch (error) {
      this.#failed(download, error instanceof WheelhouseError && error.code === 'QUOTA' ? 'quota' : 'disk');
    }
  }

  #failed(download: Download, failure: DownloadFailure): void {
    download.state = 'failed';
    download.failure = failure;
    this.onChange.emit(download);
  }

  #until<T>(look: () => T | undefined): Promise<T> {
    const now = look();
    if (now !== undefined) return Promise.resolve(now);
    return this.onChange.next(look).promise;
  }
}

/** File endings that are kept in the name of a private download. */
const ENDINGS =
  /\.(?:pdf|txt|csv|json|xml|html|zip|gz|png|jpg|jpeg|gif|webp|svg|doc|docx|xls|xlsx|ppt|pptx|odt|ods|ics|mp3|mp4|webm|key|pem|p12)$/i;

function unnamed(name: string): string {
  return `private download${ENDINGS.exec(name)?.[0].toLowerCase() ?? ''}`;
}
