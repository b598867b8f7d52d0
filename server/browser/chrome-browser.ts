import type { WheelhouseError } from '@/lib/errors/error';
import type { Message } from '@/lib/messages/message';
import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { cleanText } from '@/lib/text/clean';
import { notDevtools, resolveCdpUrl } from '@/server/cdp/endpoint';
import { closeLanes, openLanes, type Lanes } from '@/server/cdp/lanes';
import type { ConnectionOptions } from '@/server/cdp/connection';
import { CdpError, type Protocol } from '@/server/cdp/protocol';
import { fulfilledWithin } from '@/server/cdp/within';
import { Emitter } from './emitter';
import type { CdpSession } from '@/server/cdp/session';

/** What tells one Chrome from any other, whatever the address: ids that it makes at random. */
interface ChromeIds {
  /** With that of the default context, which is there even where no page is (decision 2). */
  readonly contexts: readonly string[];
  readonly targets: readonly string[];
}

/** How long Chrome may take to end a context. Milliseconds. */
const DISPOSE_MS = 3_000;
/** Pages of one Chrome that are known; more than all sessions of a server may have. */
const MOST_TARGETS = 1_000;
const MAX_PRODUCT = 100;

export interface BrowserInit {
  readonly id: string;
  readonly origin: 'launched' | 'attached';
  /** `http://` or `ws://` CDP address. */
  readonly cdpUrl: string;
  readonly telling: Omit<ConnectionOptions, 'lane'>;
}

export interface ContextOptions {
  /** The session's own way out (security.md 1.6); undefined in an attached Chrome. */
  readonly proxyServer?: string;
}

/** One Chrome: its lanes, its contexts, its page targets. Launched and attached ones are alike from here on (BR3). */
export class ChromeBrowser {
  readonly onTarget = new Emitter<[Protocol.Target.TargetInfo]>();
  readonly onTargetChanged = new Emitter<[Protocol.Target.TargetInfo]>();
  readonly onTargetGone = new Emitter<[targetId: string]>();
  readonly onTargetCrashed = new Emitter<[targetId: string]>();
  /** Chrome is gone, or let go by us. */
  readonly onGone = new Emitter<[WheelhouseError]>();
  readonly #targets = new Map<string, Protocol.Target.TargetInfo>();
  readonly #contexts: Set<string>;

  private constructor(
    readonly id: string,
    readonly origin: 'launched' | 'attached',
    readonly lanes: Lanes,
    readonly product: string,
    readonly wsUrl: string,
    private readonly first: ChromeIds,
  ) {
    this.#contexts = new Set(first.contexts);
    const root = lanes.commands.browser;
    root.on('Target.targetCreated', ({ targetInfo }) => this.#created(targetInfo));
    root.on('Target.targetInfoChanged', ({ targetInfo }) => this.#changed(targetInfo));
    root.on('Target.targetDestroyed', ({ targetId }) => this.#destroyed(targetId));
    root.on('Target.targetCrashed', ({ targetId }) => this.onTargetCrashed.emit(targetId));
    let gone = false;
    // A browser with a lane less is no use to anybody: it is let go whole, at once, rather than failing here and there.
    for (const lane of Object.values(lanes)) {
      lane.browser.onEnd((error) => {
        if (gone) return;
        gone = true;
        closeLanes(lanes);
        this.onGone.emit(error);
      });
    }
  }

  /** Connects every lane. Throws BROWSER_DOWN. Targets are reported from `discover` on. */
  static async connect(budget: Budget, init: BrowserInit): Promise<ChromeBrowser> {
    const wsUrl = await resolveCdpUrl(budget, init.cdpUrl);
    const lanes = await openLanes(budget, wsUrl, init.telling);
    try {
      const version = await budget.during('Chrome to say its version', () =>
        lanes.commands.browser.send('Browser.getVersion'),
      );
      const ids = await budget.during('Chrome to list what it has', () => readChromeIds(lanes.commands.browser));
      return new ChromeBrowser(init.id, init.origin, lanes, cleanText(version.product, MAX_PRODUCT), wsUrl, ids);
    } catch (error) {
      closeLanes(lanes);
      throw error instanceof CdpError ? notDevtools(init.cdpUrl, error) : error;
    }
  }

  /** Whether Chrome itself answers within `withinMs`; its pages have no part in it. Source: Browser.getVersion. */
  answers(clock: Clock, withinMs: number): Promise<boolean> {
    return fulfilledWithin(clock, this.lanes.commands.browser.send('Browser.getVersion'), withinMs);
  }

  /** Starts reporting page targets, those that exist first. Never asks a page (BR4). */
  async discover(budget: Budget): Promise<void> {
    const filter = [{ type: 'page', exclude: false }];
    await budget.during('Chrome to list its tabs', () =>
      this.lanes.commands.browser.send('Target.setDiscoverTargets', { discover: true, filter }),
    );
  }

  /**
   * Whether both lead to one Chrome, whatever their addresses: its contexts, the default one too, and its targets have
   * ids that no other Chrome has.
   */
  isSameAs(other: ChromeBrowser): boolean {
    const { contexts, targets } = other.first;
    return (
      contexts.some((id) => this.#contexts.has(id)) ||
      targets.some((id) => this.has(id) || this.first.targets.includes(id))
    );
  }

  /** Whether it shows this page. */
  has(targetId: string): boolean {
    return this.#targets.has(targetId);
  }

  targets(): Protocol.Target.TargetInfo[] {
    return [...this.#targets.values()];
  }

  get gone(): WheelhouseError | undefined {
    return this.lanes.commands.browser.ended;
  }

  /** The one place where contexts are made. They outlive our socket, not Chrome. */
  async createContext(budget: Budget, options: ContextOptions): Promise<string> {
    const params =
      options.proxyServer === undefined ? {} : { proxyServer: options.proxyServer, proxyBypassList: '<-loopback>' };
    const making = this.lanes.commands.browser.send('Target.createBrowserContext', {
      ...params,
      disposeOnDetach: false,
    });
    try {
      const made = await budget.during('a browser context', () => making);
      this.#contexts.add(made.browserContextId);
      this.#denyClipboard(made.browserContextId);
      return made.browserContextId;
    } catch (error) {
      // One that comes about too late belongs to no session.
      void making.then(
        ({ browserContextId }) =>
          this.lanes.commands.browser.sendMayFail('Target.disposeBrowserContext', { browserContextId }),
        () => undefined,
      );
      throw error;
    }
  }

  /**
   * Chrome has one clipboard for all its contexts (measured on Chromium 156): no page may read what another session's
   * page has copied, also where a person could be asked. Source: Browser.setPermission.
   */
  #denyClipboard(browserContextId: string): void {
    void this.lanes.commands.browser.sendMayFail('Browser.setPermission', {
      permission: { name: 'clipboard-read' },
      setting: 'denied',
      browserContextId,
    });
  }

  /** Contexts that exist, without the default one. */
  async contexts(budget: Budget): Promise<string[]> {
    const answer = await budget.during('the list of contexts', () =>
      this.lanes.commands.browser.send('Target.getBrowserContexts'),
    );
    return answer.browserContextIds;
  }

  /**
   * Ends a context with its pages. A Chrome that answers nothing does so as soon as it goes on, and is not waited for.
   */
  async disposeContext(clock: Clock, contextId: string): Promise<void> {
    await fulfilledWithin(
      clock,
      this.lanes.commands.browser.sendMayFail('Target.disposeBrowserContext', { browserContextId: contextId }),
      DISPOSE_MS,
    );
  }

  /** Opens an empty page; the caller navigates once its sentinel is attached, so that load-time loops can be ended. */
  async openPage(budget: Budget, contextId: string | undefined): Promise<string> {
    const context = contextId === undefined ? {} : { browserContextId: contextId };
    const made = await budget.during('a new tab', () =>
      this.lanes.commands.browser.send('Target.createTarget', { url: 'about:blank', ...context }),
    );
    return made.targetId;
  }

  async closePage(budget: Budget, targetId: string): Promise<void> {
    await budget.during('the tab to close', () => this.lanes.commands.browser.send('Target.closeTarget', { targetId }));
  }

  /** Closes a page that another has replaced, if it is still there. */
  async dropPage(targetId: string): Promise<void> {
    if (this.#targets.has(targetId)) await this.lanes.commands.browser.sendMayFail('Target.closeTarget', { targetId });
  }

  /** Lets go; an attached Chrome and its pages live on (BR3). */
  detach(reason: Message): void {
    for (const lane of Object.values(this.lanes)) lane.close(reason);
  }

  /** Ends Chrome itself; only for one that we launched. */
  async quit(): Promise<void> {
    await this.lanes.commands.browser.sendMayFail('Browser.close');
    this.detach({ code: 'browserStopped' });
  }

  #created(info: Protocol.Target.TargetInfo): void {
    if (info.type !== 'page' || this.#targets.has(info.targetId) || this.#targets.size >= MOST_TARGETS) return;
    this.#targets.set(info.targetId, info);
    this.onTarget.emit(info);
  }

  #changed(info: Protocol.Target.TargetInfo): void {
    if (!this.#targets.has(info.targetId)) return this.#created(info);
    this.#targets.set(info.targetId, info);
    this.onTargetChanged.emit(info);
  }

  #destroyed(targetId: string): void {
    if (this.#targets.delete(targetId)) this.onTargetGone.emit(targetId);
  }
}

/** Reads them; no page is asked. Sources: Target.getBrowserContexts, Target.getTargets with targets of every type. */
async function readChromeIds(browser: CdpSession): Promise<ChromeIds> {
  const [{ browserContextIds, defaultBrowserContextId }, { targetInfos }] = await Promise.all([
    browser.send('Target.getBrowserContexts'),
    browser.send('Target.getTargets', { filter: [{}] }),
  ]);
  // A target of the type `browser` is the connection's own, and another for each (measured).
  const targets = targetInfos.filter(({ type }) => type !== 'browser').map(({ targetId }) => targetId);
  return {
    contexts:
      defaultBrowserContextId === undefined ? browserContextIds : [defaultBrowserContextId, ...browserContextIds],
    targets,
  };
}
