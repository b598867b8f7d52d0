import { within } from '@/lib/async/within';
import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import type { CdpSession } from '@/server/cdp/session';
import { Emitter } from './emitter';

/** Request types that delay a person. Images, fonts, beacons and streams do not. */
const AWAITED: ReadonlySet<string> = new Set(['Document', 'Script', 'Stylesheet', 'XHR', 'Fetch']);

/**
 * A request older than this when a wait begins counts as a long poll, not as an effect of the last action.
 * Milliseconds.
 */
const RECENT_MS = 1_000;
/** The longest wait for the events lane to deliver earlier events, milliseconds. */
const HEARD_MS = 250;
/** A requested navigation that has not started after this counts as abandoned. Milliseconds. */
const ASKED_MS = 300;

/**
 * Tracks the main frame's navigations and the page's requests from events alone (AC5). Source:
 * Page.frameRequestedNavigation, Page.frameStartedLoading, Page.frameStoppedLoading, Network.requestWillBeSent.
 */
export class Activity {
  /** Fires when a navigation is requested, starts or ends, and when the last recent request ends. */
  readonly onChange = new Emitter<[]>();
  readonly #requests = new Map<string, { readonly since: number; readonly frameId: string | undefined }>();
  #askedAt = Number.NEGATIVE_INFINITY;
  #loading = false;
  #endedAt = Number.NEGATIVE_INFINITY;

  /** `pages` delivers navigation events (its owner enables Page), `network` delivers request events. */
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

  /** Enables request events. Callers do not await it, because a hung page answers late. */
  async start(): Promise<void> {
    await this.network.send('Network.enable');
  }

  /** The main frame navigates or has just requested a navigation. */
  get navigating(): boolean {
    return this.#loading || this.clock.now() - this.#askedAt < ASKED_MS;
  }

  /** Settles at the next change, or when a requested navigation counts as abandoned. */
  async changed(): Promise<void> {
    const changed = this.onChange.next(() => true);
    const waiting = !this.#loading && this.clock.now() - this.#askedAt < ASKED_MS;
    if (waiting) await within(this.clock, ASKED_MS, changed.promise);
    else await changed.promise;
    changed.stop();
  }

  /**
   * Settles when the events of all earlier requests have arrived: a command on the same lane is answered after them,
   * while the action's own lane may be ahead. Waits at most HEARD_MS, because the lane may be busy. Never rejects.
   */
  async heard(budget: Budget): Promise<void> {
    try {
      await budget.within(HEARD_MS, () => this.network.sendMayFail('Runtime.evaluate', { expression: '0' }));
    } catch {
      // The lane is busy or the budget is over; continues with the events so far.
    }
  }

  /** Ids of pending requests that started within RECENT_MS. */
  recentRequests(now = this.clock.now()): string[] {
    return [...this.#requests].filter(([, { since }]) => now - since < RECENT_MS).map(([id]) => id);
  }

  /** Milliseconds since the last request ended. */
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

  /**
   * Drops the requests of the old document, whose ends Chrome does not report. The new document's own request has the
   * loader's id.
   */
  #replaced(loaderId: string): void {
    for (const id of this.#requests.keys()) if (id !== loaderId) this.#requests.delete(id);
    this.onChange.emit();
  }

  #sent(requestId: string, type: string, frameId: string | undefined): void {
    if (AWAITED.has(type)) this.#requests.set(requestId, { since: this.clock.now(), frameId });
  }

  /**
   * Drops the requests of a frame that was removed or moved to another process: this session does not report their
   * ends.
   */
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
