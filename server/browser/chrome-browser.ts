import type { WheelhouseError } from '@/lib/errors/error';
import type { Message } from '@/lib/messages/message';
import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { cleanText } from '@/lib/text/clean';
import { notDevtools, resolveCdpUrl } from '@/server/cdp/endpoint';
import { closeLanes, openLanes, type Lanes } from '@/server/cdp/lanes';
import type { ConnectionOptions } from '@/server/cdp/connection';
import { CdpError } from '@/server/cdp/protocol';
import type { TargetInfo } from '@/server/cdp/shapes/objects';
import { fulfilledWithin } from '@/server/cdp/within';
import { Emitter } from './emitter';
import type { CdpSession } from '@/server/cdp/session';

/** Random ids that identify a Chrome whatever its address. */
interface ChromeIds {
  /** Includes the default context, which exists even without pages (decision 2). */
  readonly contexts: readonly string[];
  readonly targets: readonly string[];
}

/** The longest wait for Chrome to dispose a context, milliseconds. */
const DISPOSE_MS = 3_000;
/** The most page targets tracked per Chrome; above what all sessions of a server may have. */
const MOST_TARGETS = 1_000;
const MAX_PRODUCT = 100;

export interface BrowserInit {
  readonly id: string;
  readonly origin: 'launched' | 'attached';
  /** The `http://` or `ws://` CDP address. */
  readonly cdpUrl: string;
  readonly telling: Omit<ConnectionOptions, 'lane'>;
}

export interface ContextOptions {
  /** The session's own egress proxy (GU1); undefined in an attached Chrome. */
  readonly proxyServer?: string;
}

/** One Chrome with its lanes, contexts and page targets, launched or attached (BR3). */
export class ChromeBrowser {
  readonly onTarget = new Emitter<[TargetInfo]>();
  readonly onTargetChanged = new Emitter<[TargetInfo]>();
  readonly onTargetGone = new Emitter<[targetId: string]>();
  readonly onTargetCrashed = new Emitter<[targetId: string]>();
  /** Fires when Chrome ends or we detach from it. */
  readonly onGone = new Emitter<[WheelhouseError]>();
  readonly #targets = new Map<string, TargetInfo>();
  readonly #contexts: Set<string>;

  private constructor(
    readonly id: string,
    readonly origin: 'launched' | 'attached',
    readonly lanes: Lanes,
    readonly product: string,
    /** It runs on a Mac, where Command does what Control does elsewhere. */
    readonly mac: boolean,
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
    // The loss of one lane detaches the whole browser at once, instead of failing single commands later.
    for (const lane of Object.values(lanes)) {
      lane.browser.onEnd((error) => {
        if (gone) return;
        gone = true;
        closeLanes(lanes);
        this.onGone.emit(error);
      });
    }
  }

  /** Connects every lane. Throws BROWSER_DOWN. Reports targets only after `discover`. */
  static async connect(budget: Budget, init: BrowserInit): Promise<ChromeBrowser> {
    const wsUrl = await resolveCdpUrl(budget, init.cdpUrl);
    const lanes = await openLanes(budget, wsUrl, init.telling);
    try {
      const version = await budget.during('Chrome to say its version', () =>
        lanes.commands.browser.send('Browser.getVersion'),
      );
      const ids = await budget.during('Chrome to list what it has', () => readChromeIds(lanes.commands.browser));
      const product = cleanText(version.product, MAX_PRODUCT);
      const mac = /\bMacintosh\b/.test(version.userAgent);
      return new ChromeBrowser(init.id, init.origin, lanes, product, mac, wsUrl, ids);
    } catch (error) {
      closeLanes(lanes);
      throw error instanceof CdpError ? notDevtools(init.cdpUrl, error) : error;
    }
  }

  /**
   * Whether Chrome itself answers within `withinMs` milliseconds; hung pages do not delay it. Source:
   * Browser.getVersion.
   */
  answers(clock: Clock, withinMs: number): Promise<boolean> {
    return fulfilledWithin(clock, this.lanes.commands.browser.send('Browser.getVersion'), withinMs);
  }

  /** Starts reporting page targets, existing ones first. Sends nothing to a page (BR4). */
  async discover(budget: Budget): Promise<void> {
    const filter = [{ type: 'page', exclude: false }];
    await budget.during('Chrome to list its tabs', () =>
      this.lanes.commands.browser.send('Target.setDiscoverTargets', { discover: true, filter }),
    );
  }

  /**
   * Whether both connections lead to the same Chrome, whatever their addresses; compares the ids of contexts and
   * targets.
   */
  isSameAs(other: ChromeBrowser): boolean {
    const { contexts, targets } = other.first;
    return (
      contexts.some((id) => this.#contexts.has(id)) ||
      targets.some((id) => this.has(id) || this.first.targets.includes(id))
    );
  }

  /** Whether this Chrome has the page. */
  has(targetId: string): boolean {
    return this.#targets.has(targetId);
  }

  targets(): TargetInfo[] {
    return [...this.#targets.values()];
  }

  get gone(): WheelhouseError | undefined {
    return this.lanes.commands.browser.ended;
  }

  /** Creates a context; no other code does. It outlives our socket, but not Chrome. */
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
      // Disposes a context that Chrome creates after the caller gave up.
      void making.then(
        ({ browserContextId }) =>
          this.lanes.commands.browser.sendMayFail('Target.disposeBrowserContext', { browserContextId }),
        () => undefined,
      );
      throw error;
    }
  }

  /**
   * Denies clipboard reads without a prompt, because all contexts of a Chrome share one clipboard (measured on Chromium
   * 156) and a page must not read what another session copied. Source: Browser.setPermission.
   */
  #denyClipboard(browserContextId: string): void {
    void this.lanes.commands.browser.sendMayFail('Browser.setPermission', {
      permission: { name: 'clipboard-read' },
      setting: 'denied',
      browserContextId,
    });
  }

  /** The existing contexts without the default one. */
  async contexts(budget: Budget): Promise<string[]> {
    const answer = await budget.during('the list of contexts', () =>
      this.lanes.commands.browser.send('Target.getBrowserContexts'),
    );
    return answer.browserContextIds;
  }

  /**
   * Disposes a context with its pages. Does not wait for a stopped Chrome, which executes the command when it resumes.
   */
  async disposeContext(clock: Clock, contextId: string): Promise<void> {
    await fulfilledWithin(
      clock,
      this.lanes.commands.browser.sendMayFail('Target.disposeBrowserContext', { browserContextId: contextId }),
      DISPOSE_MS,
    );
  }

  /**
   * Opens about:blank, in the background: in front of another tab it would keep that one from giving a screenshot for
   * up to four seconds (docs/chrome-facts.md, Pictures). The caller navigates after it attached a sentinel, so that the
   * sentinel can end load-time loops.
   */
  async openPage(budget: Budget, contextId: string | undefined): Promise<string> {
    const context = contextId === undefined ? {} : { browserContextId: contextId };
    const made = await budget.during('a new tab', () =>
      this.lanes.commands.browser.send('Target.createTarget', { url: 'about:blank', background: true, ...context }),
    );
    return made.targetId;
  }

  async closePage(budget: Budget, targetId: string): Promise<void> {
    await budget.during('the tab to close', () => this.lanes.commands.browser.send('Target.closeTarget', { targetId }));
  }

  /** Closes a replaced page if it still exists. */
  async dropPage(targetId: string): Promise<void> {
    if (this.#targets.has(targetId)) await this.lanes.commands.browser.sendMayFail('Target.closeTarget', { targetId });
  }

  /** Disconnects; an attached Chrome and its pages continue (BR3). */
  detach(reason: Message): void {
    for (const lane of Object.values(this.lanes)) lane.close(reason);
  }

  /** Ends Chrome; only for one that we launched. */
  async quit(): Promise<void> {
    await this.lanes.commands.browser.sendMayFail('Browser.close');
    this.detach({ code: 'browserStopped' });
  }

  #created(info: TargetInfo): void {
    if (info.type !== 'page' || this.#targets.has(info.targetId) || this.#targets.size >= MOST_TARGETS) return;
    this.#targets.set(info.targetId, info);
    this.onTarget.emit(info);
  }

  #changed(info: TargetInfo): void {
    if (!this.#targets.has(info.targetId)) return this.#created(info);
    this.#targets.set(info.targetId, info);
    this.onTargetChanged.emit(info);
  }

  #destroyed(targetId: string): void {
    if (this.#targets.delete(targetId)) this.onTargetGone.emit(targetId);
  }
}

/**
 * Reads the ids without asking a page. Sources: Target.getBrowserContexts, Target.getTargets with targets of every
 * type.
 */
async function readChromeIds(browser: CdpSession): Promise<ChromeIds> {
  const [{ browserContextIds, defaultBrowserContextId }, { targetInfos }] = await Promise.all([
    browser.send('Target.getBrowserContexts'),
    browser.send('Target.getTargets', { filter: [{}] }),
  ]);
  // Each connection has its own target of type `browser` (measured).
  const targets = targetInfos.filter(({ type }) => type !== 'browser').map(({ targetId }) => targetId);
  return {
    contexts:
      defaultBrowserContextId === undefined ? browserContextIds : [defaultBrowserContextId, ...browserContextIds],
    targets,
  };
}
