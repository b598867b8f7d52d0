import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import type { CdpSession } from '@/server/cdp/session';
import type { Protocol } from '@/server/cdp/protocol';
import { Emitter } from './emitter';

export type LoadState = 'commit' | 'domcontentloaded' | 'load' | 'networkidle';

/** Chrome's lifecycle event for each state one may wait for. */
const LIFECYCLE: Record<LoadState, string> = {
  commit: 'commit',
  domcontentloaded: 'DOMContentLoaded',
  load: 'load',
  networkidle: 'networkIdle',
};

export interface PageDocument {
  readonly frameId: string;
  readonly loaderId: string;
  readonly url: string;
  /** Chrome shows an error page of its own in its place. */
  readonly failed: boolean;
}

/**
 * What the page is showing, from events alone: the page itself is never asked, so a wedged one delays nobody (BR4).
 * Source: Page.frameNavigated, Page.navigatedWithinDocument, Page.lifecycleEvent, Page.frameStartedLoading.
 */
export class PageWatch {
  /** A document was replaced, in any frame of this renderer. */
  readonly onDocument = new Emitter<[frame: PageDocument, main: boolean]>();
  /** Address, loading or history changed. */
  readonly onChange = new Emitter<[]>();
  readonly onLifecycle = new Emitter<[loaderId: string, name: string]>();
  /** Address of the page that was put aside for an empty one, because it flooded its Chrome. */
  parked: string | undefined;
  /** Its process is stopped most of the time, because it floods its Chrome. */
  slowed = false;
  readonly #reached = new Map<string, Set<string>>();
  #document: PageDocument;
  #loading = false;
  #awaited: string | undefined;

  constructor(targetId: string, url: string) {
    // The main frame's id is the target's id for pages.
    this.#document = { frameId: targetId, loaderId: '', url, failed: false };
  }

  get document(): PageDocument {
    return this.#document;
  }

  get url(): string {
    return this.#document.url;
  }

  get loading(): boolean {
    return this.#loading;
  }

  /**
   * The address of another page that was asked for and has not been answered. Until it is, Chrome keeps back whatever
   * is asked of the page that is still shown (Chromium 156); `Page.stopLoading` gives it free. Source:
   * Page.frameStartedNavigating.
   */
  get awaited(): string | undefined {
    return this.#awaited;
  }

  /** The page that was asked for has come, though Chrome could not say so: a script of it runs. */
  arrived(): void {
    this.#setAwaited(this.#document.frameId, undefined);
  }

  /** Starts listening, then reads the frame tree once. The caller bounds it: a page that hangs never answers. */
  async start(session: CdpSession): Promise<void> {
    session.on('Page.frameNavigated', ({ frame, type }) => {
      this.#navigated(frame);
      if (type === 'BackForwardCacheRestore') this.#restored(frame);
    });
    session.on('Page.navigatedWithinDocument', ({ frameId, url }) => this.#moved(frameId, url));
    session.on('Page.lifecycleEvent', ({ frameId, loaderId, name }) => this.#lifecycle(frameId, loaderId, name));
    session.on('Page.frameStartedNavigating', ({ frameId, url, navigationType }) =>
      this.#setAwaited(frameId, /sameDocument$/i.test(navigationType) ? undefined : url),
    );
    session.on('Page.frameStartedLoading', ({ frameId }) => this.#setLoading(frameId, true));
    session.on('Page.frameStoppedLoading', ({ frameId }) => {
      this.#setLoading(frameId, false);
      this.#setAwaited(frameId, undefined);
    });
    const enabled = session.send('Page.enable');
    const lifecycle = session.send('Page.setLifecycleEventsEnabled', { enabled: true });
    const [tree] = await Promise.all([session.send('Page.getFrameTree'), enabled, lifecycle]);
    this.#adopt(tree.frameTree);
  }

  /** The address as Chrome's target list tells it; used until the page's own events arrive. */
  targetUrl(url: string): void {
    if (this.#document.loaderId !== '' || url === '') return;
    this.#document = { ...this.#document, url };
    this.onChange.emit();
  }

  /** A document that is there has been committed, whether or not Chrome has said so yet. */
  has(state: LoadState, loaderId = this.#document.loaderId): boolean {
    if (state === 'commit' && loaderId === this.#document.loaderId) return true;
    return this.#reached.get(loaderId)?.has(LIFECYCLE[state]) ?? false;
  }

  /**
   * Waits until the document with this loader (default: the present one) reached a state. Throws NAV_FAILED if another
   * document replaces it first.
   */
  async waitFor(budget: Budget, state: LoadState, loaderId = this.#document.loaderId): Promise<void> {
    if (this.has(state, loaderId)) return;
    await budget.during(`the page to reach "${state}"`, () => this.#reach(budget, state, loaderId));
  }

  #reach(budget: Budget, state: LoadState, loaderId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const offs = [
        this.onLifecycle.on((loader, name) => {
          if (loader === loaderId && name === LIFECYCLE[state]) finish(resolve);
        }),
        this.onDocument.on((document, main) => {
          if (main && document.loaderId === loaderId && state === 'commit') finish(resolve);
          else if (main && document.loaderId !== loaderId)
            finish(() =>
              reject(new WheelhouseError('NAV_FAILED', 'Another page took its place before it had loaded.')),
            );
        }),
      ];
      const finish = (settle: () => void): void => {
        for (const off of offs) off();
        settle();
      };
      budget.signal.addEventListener('abort', () => finish(() => reject(budget.reason())), { once: true });
    });
  }

  #adopt(tree: Protocol.Page.FrameTree): void {
    if (this.#document.loaderId === '') this.#navigated(tree.frame);
    for (const child of tree.childFrames ?? []) this.#navigated(child.frame);
  }

  #navigated(frame: Protocol.Page.Frame): void {
    const main = frame.parentId === undefined;
    const document = {
      frameId: frame.id,
      loaderId: frame.loaderId,
      url: frame.unreachableUrl ?? frame.url + (frame.urlFragment ?? ''),
      failed: frame.unreachableUrl !== undefined,
    };
    if (main) {
      this.#document = document;
      this.#awaited = undefined;
      for (const loader of this.#reached.keys()) if (loader !== frame.loaderId) this.#reached.delete(loader);
    }
    this.onDocument.emit(document, main);
    if (main) this.onChange.emit();
  }

  /**
   * A page that comes back from the history as it was left has loaded long ago: Chrome does not say so again (Chromium
   * 156).
   */
  #restored({ id, loaderId }: Protocol.Page.Frame): void {
    for (const name of Object.values(LIFECYCLE)) this.#lifecycle(id, loaderId, name);
  }

  #moved(frameId: string, url: string): void {
    if (frameId !== this.#document.frameId) return;
    this.#document = { ...this.#document, url };
    this.onChange.emit();
  }

  #lifecycle(frameId: string, loaderId: string, name: string): void {
    if (frameId !== this.#document.frameId) return;
    const reached = this.#reached.get(loaderId) ?? new Set();
    this.#reached.set(loaderId, reached.add(name));
    this.onLifecycle.emit(loaderId, name);
  }

  #setAwaited(frameId: string, url: string | undefined): void {
    if (frameId !== this.#document.frameId || this.#awaited === url) return;
    this.#awaited = url;
    this.onChange.emit();
  }

  #setLoading(frameId: string, loading: boolean): void {
    if (frameId !== this.#document.frameId || this.#loading === loading) return;
    this.#loading = loading;
    this.onChange.emit();
  }
}
