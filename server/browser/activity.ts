import { within } from '@/lib/async/within';
import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import type { CdpSession } from '@/server/cdp/session';
import { Emitter } from './emitter';

/** Requests that a person waits for. Images, fonts, beacons and streams are not among them. */
const AWAITED: ReadonlySet<string> = new Set(['Document', 'Script', 'Stylesheet', 'XHR', 'Fetch']);

/**
 * A request older than this when somebody begins to wait is a long poll, not an effect of what was just done.
 * Milliseconds.
 */
const RECENT_MS = 1_000;
/** The longest wait for the network lane to catch up, milliseconds. */
const HEARD_MS = 250;
/** A navigation asked for by the page that has not begun by now was given up. Milliseconds. */
const ASKED_MS = 300;

/**
 * What a page is busy with outside its document: navigations of the main frame and requests, from events alone (AC5).
 * Source: Page.frameRequestedNavigation, Page.frameStartedLoading, Page.frameStoppedLoading, Network.requestWillBeSent.
 */
export class Activity {
  /** A navigation was asked for, began, or ended; or the last recent request ended. */
  readonly onChange = new Emitter<[]>();
  readonly #requests = new Map<string, { readonly since: number; readonly frameId: string | undefined }>();
  #askedAt = Number.NEGATIVE_INFINITY;
  #loading = false;
  #endedAt = Number.NEGATIVE_INFINITY;

  /** `pages` hears of navigations (Page enabled by its owner), `network` of requests. */
  constructor(
    pages: CdpSession,
    private readonly network: CdpSession,
    private readonly mainFrameId: string,
    private readonly clock: Clock,
  ) {
    pages.on('Page.frameRequestedNavigation', ({ frameId, disposition }) => {
      if (disposition === 'currentTab') this.#asked(frameId);
    });
    pages.on('Page.frameStartedLoading', ({ frameId }) => this.#loads(frameId, true));
    pages.on('Page.frameStoppedLoading', ({ frameId }) => this.#loads(frameId, false));
    pages.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id === mainFrameId) this.#replaced(frame.loaderId);
    });
    pages.on('Page.frameDetached', ({ frameId }) => this.#left(frameId));
    network.on('Network.requestWillBeSent', ({ requestId, type, frameId }) =>
      this.#sent(requestId, type ?? '', frameId),
    );
    network.on('Network.loadingFinished', ({ requestId }) => this.#ended(requestId));
    network.on('Network.loadingFailed', ({ requestId }) => this.#ended(requestId));
  }

  /** Turns request events on. Not awaited: a page that hangs answers late. */
  async start(): Promise<void> {
    await this.network.send('Network.enable');
  }

  /** A navigation of the main frame is under way, or was just asked for. */
  get navigating(): boolean {
    return this.#loading || this.clock.now() - this.#askedAt < ASKED_MS;
  }

  /** The next change, or the moment at which a navigation that was only asked for counts as given up. */
  async changed(): Promise<void> {
    const changed = this.onChange.next(() => true);
    const waiting = !this.#loading && this.clock.now() - this.#askedAt < ASKED_MS;
    if (waiting) await within(this.clock, ASKED_MS, changed.promise);
    else await changed.promise;
    changed.stop();
  }

  /**
   * Settles once every request that began before now has been told: its lane is another than that of the action, and a
   * command answered there comes after the events before it. Bounded, since that lane may be busy; never rejects.
   */
  async heard(budget: Budget): Promise<void> {
    try {
      await budget.within(HEARD_MS, () => this.network.sendMayFail('Runtime.evaluate', { expression: '0' }));
    } catch {
      // The lane is busy or the budget over; what was told so far has to do.
    }
  }

  /** Requests under way that began lately, by id. */
  recentRequests(now = this.clock.now()): string[] {
    return [...this.#requests].filter(([, { since }]) => now - since < RECENT_MS).map(([id]) => id);
  }

  /** How long ago a request ended, milliseconds. */
  sinceRequestMs(): number {
    return this.clock.now() - this.#endedAt;
  }

  isPending(requestId: string): boolean {
    return this.#requests.has(requestId);
  }

  #asked(frameId: string): void {
    if (frameId !== this.mainFrameId) return;
    this.#askedAt = this.clock.now();
    this.onChange.emit();
  }

  #loads(frameId: string, loading: boolean): void {
    if (frameId !== this.mainFrameId) return;
    this.#loading = loading;
    this.#askedAt = Number.NEGATIVE_INFINITY;
    this.onChange.emit();
  }

  /** Requests of the old document never end; the new document's own has the loader's id. */
  #replaced(loaderId: string): void {
    for (const id of this.#requests.keys()) if (id !== loaderId) this.#requests.delete(id);
    this.onChange.emit();
  }

  #sent(requestId: string, type: string, frameId: string | undefined): void {
    if (AWAITED.has(type)) this.#requests.set(requestId, { since: this.clock.now(), frameId });
  }

  /** A frame went away or to another process: the end of its requests is not reported here. */
  #left(frameId: string): void {
    for (const [id, request] of this.#requests) if (request.frameId === frameId) this.#requests.delete(id);
    this.onChange.emit();
  }

  #ended(requestId: string): void {
    if (!this.#requests.delete(requestId)) return;
    this.#endedAt = this.clock.now();
    this.onChange.emit();
  }
}
