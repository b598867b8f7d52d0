import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import type { CdpSession } from '@/server/cdp/session';
import type { Frame, FrameTree } from '@/server/cdp/shapes/objects';
import { Emitter } from './emitter';

export type LoadState = 'commit' | 'domcontentloaded' | 'load' | 'networkidle';

/** Chrome's lifecycle event for each load state. */
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
  /** Chrome shows its own error page instead. */
  readonly failed: boolean;
}

/**
 * The page's present state from events alone; it sends nothing to the page, so a wedged page delays nobody (BR4).
 * Source: Page.frameNavigated, Page.navigatedWithinDocument, Page.lifecycleEvent, Page.frameStartedLoading.
 */
export class PageWatch {
  /** Fires when a document is replaced in any frame of this renderer. */
  readonly onDocument = new Emitter<[frame: PageDocument, main: boolean]>();
  /** Fires when the address, loading or history changes. */
  readonly onChange = new Emitter<[]>();
  readonly onLifecycle = new Emitter<[loaderId: string, name: string]>();
  /** The address of a page that was replaced by an empty one because it flooded its Chrome. */
  parked: string | undefined;
  /** The page's process is stopped most of the time because it floods its Chrome. */
  slowed = false;
  readonly #reached = new Map<string, Set<string>>();
  #document: PageDocument;
  #loading = false;
  #awaited: string | undefined;

  constructor(targetId: string, url: string) {
    // A page's main frame has the target's id.
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
   * The address of a requested page that has not been answered. Until then Chrome delays commands to the present page
   * (Chromium 156); `Page.stopLoading` releases them. Source: Page.frameStartedNavigating.
   */
  get awaited(): string | undefined {
    return this.#awaited;
  }

  /** Call when a script of the requested page runs: the page has arrived, although Chrome could not report it. */
  arrived(): void {
    this.#setAwaited(this.#document.frameId, undefined);
  }

  /** Adds the listeners, then reads the frame tree once. The caller bounds it, because a hung page never answers. */
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

  /** Sets the address from Chrome's target list; used until the page's own events arrive. */
  targetUrl(url: string): void {
    if (this.#document.loaderId !== '' || url === '') return;
    this.#document = { ...this.#document, url };
    this.onChange.emit();
  }

  /** The present document counts as committed even before Chrome reports it. */
  has(state: LoadState, loaderId = this.#document.loaderId): boolean {
    if (state === 'commit' && loaderId === this.#document.loaderId) return true;
    return this.#reached.get(loaderId)?.has(LIFECYCLE[state]) ?? false;
  }

  /**
   * Waits until the document with this loader (default: the present one) reaches a state. Throws NAV_FAILED when
   * another document replaces it first.
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

  #adopt(tree: FrameTree): void {
    if (this.#document.loaderId === '') this.#navigated(tree.frame);
    for (const child of tree.childFrames ?? []) this.#navigated(child.frame);
  }

  #navigated(frame: Frame): void {
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
   * Marks a page restored from the back/forward cache as loaded, because Chrome does not report it again (Chromium
   * 156).
   */
  #restored({ id, loaderId }: Frame): void {
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
