import { WheelhouseError, messageOf } from '@/lib/errors/error';
import { launchedChromes, sharedChrome, type FleetEffect } from '@/lib/fleet/fleet';
import { Background } from '@/lib/budget/background';
import type { Budget } from '@/lib/budget/budget';
import { monotonicClock } from '@/lib/budget/clock';
import type { Message } from '@/lib/messages/message';
import type { ChromeBrowser } from '@/server/browser/chrome-browser';
import { Emitter } from '@/server/browser/emitter';
import type { Detection } from '@/server/browser/find-chrome';
import { claimChrome, releaseChrome } from '@/server/browser/orphan-reaper';
import { ChromeWatchdog } from '@/server/browser/chrome-watchdog';
import { quotaError } from '@/server/access/quota';
import type { Egress } from '@/server/access/egress/egress';
import type { ChromeConfig } from '@/server/config/config';
import type { ChromeTiming } from '@/server/config/timings';
import type { BrowserRecord } from '@/server/store/browsers';
import { inTime } from '@/server/store/in-time';
import type { Store } from '@/server/store/store';
import type { Logger } from '@/server/telemetry/logger';
import type { Metrics } from '@/server/telemetry/metrics';
import type { SessionRecord } from '@/server/store/sessions';
import {
  attachedRecord,
  continueOwn,
  endOwn,
  newBrowserId,
  reachAgain,
  reachChrome,
  runs,
  viewOf,
  type BrowserView,
} from './browser-records';
import { contextIn } from './chrome-patience';
import { ChromeMemory } from './chrome-memory';
import { Fleet } from './fleet';
import { ChromeStarter } from './chrome-starter';
import { ChromeIdentities } from './chrome-identities';
import { Profiles } from './profiles';
import { isOpen, proxied, ChromeEgress } from './chrome-egress';

/** How long a Chrome that several callers wait for may take to start, milliseconds. */
const SHARED_LAUNCH_MS = 30_000;

/** Parameters of a new context: all contexts of a session share its listener of the egress proxy. */
export interface ContextSpec {
  readonly session: string;
}

/** A context of a session; `egressPort` is the proxy listener it uses. */
export interface NewContext {
  readonly contextId: string;
  readonly egressPort: number | undefined;
}

/** Dependencies of `Browsers`. */
export interface BrowsersDeps {
  readonly store: Store;
  readonly config: ChromeConfig;
  readonly egress: Egress;
  readonly dataDir: string;
  /** PATH, where Chrome is looked for. */
  readonly searchPath: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly timing: ChromeTiming;
  /** Limit of launched Chromes that run at once (BR7). */
  readonly most: number;
}

/** The connection to a Chrome that the fleet counts as connected, and its stored record. */
interface ManagedBrowser {
  readonly browser: ChromeBrowser;
  readonly record: BrowserRecord;
}

/** Launches, attaches, finds again and ends the Chromes of the fleet (BR1-BR5). */
export class Browsers {
  /** A browser is connected; it reports its targets from `discover` on. */
  readonly onBrowser = new Emitter<[ChromeBrowser]>();
  readonly fleet: Fleet;
  readonly #managed = new Map<string, ManagedBrowser>();
  /** The shared Chromes that are being launched, by id. */
  readonly #launching = new Map<string, Promise<ChromeBrowser>>();
  readonly #known = new ChromeIdentities((second) => void this.remove(second));
  /** Work that no caller waits for; ends when the server stops. */
  readonly background = new Background(monotonicClock);
  readonly memory: ChromeMemory;
  readonly #profiles: Profiles;
  readonly chromeEgress: ChromeEgress;
  readonly #starter: ChromeStarter;

  constructor(private readonly deps: BrowsersDeps) {
    this.fleet = new Fleet(deps.most, monotonicClock, deps.logger);
    this.fleet.onEffect.on((effect) => this.#carryOut(effect));
    this.memory = new ChromeMemory(() => [...this.#managed.values()]);
    this.chromeEgress = new ChromeEgress(deps.egress, deps.logger);
    this.#profiles = new Profiles(deps.dataDir, monotonicClock, deps.logger, deps.timing.lookEveryMs);
    this.#starter = new ChromeStarter({ ...deps, profiles: this.#profiles, chromeEgress: this.chromeEgress });
  }

  #carryOut(effect: FleetEffect): void {
    const managed = 'chrome' in effect ? this.#managed.get(effect.chrome) : undefined;
    if (!managed) return;
    if (effect.type === 'kill') this.#kill(managed);
    if (effect.type === 'drop') this.#drop(managed, effect.crashed);
  }

  list(workspace: string): BrowserView[] {
    return [...this.#managed.values()]
      .filter(({ record }) => record.workspace === workspace)
      .map(({ browser }) => viewOf(browser));
  }

  /** Throws NOT_FOUND, also for another workspace's (T6). */
  get(workspace: string, id: string): ChromeBrowser {
    const found = this.find(workspace, id);
    if (found) return found;
    throw new WheelhouseError('NOT_FOUND', { code: 'noBrowser', id: id.slice(0, 100) });
  }

  find(workspace: string, id: string): ChromeBrowser | undefined {
    const managed = this.#managed.get(id);
    return managed?.record.workspace === workspace ? managed.browser : undefined;
  }

  detect(): Promise<Detection> {
    return this.#starter.detect();
  }

  /** The workspace's shared Chrome, launched when it is first needed; never shared between workspaces (T6). */
  shared(budget: Budget, workspace: string): Promise<ChromeBrowser> {
    const id = sharedChrome(this.fleet.state, workspace);
    const present = id === undefined ? undefined : this.#managed.get(id)?.browser;
    if (present) return Promise.resolve(present);
    const launching = id === undefined ? undefined : this.#launching.get(id);
    return budget.race(launching ?? this.#launchShared(workspace));
  }

  /** Uses a budget of its own: the first caller may go away while others wait for the same Chrome. */
  async #launchShared(workspace: string): Promise<ChromeBrowser> {
    const id = newBrowserId();
    const launching = this.background.run(SHARED_LAUNCH_MS, (budget) => this.#launch(budget, id, workspace, false));
    this.#launching.set(id, launching);
    try {
      return await launching;
    } finally {
      this.#launching.delete(id);
    }
  }

  /** Launches a Chrome with its own profile folder. Throws BROWSER_DOWN with a hint (BR2), QUOTA. */
  launch(budget: Budget, workspace: string, dedicated: boolean): Promise<ChromeBrowser> {
    return this.#launch(budget, newBrowserId(), workspace, dedicated);
  }

  async #launch(budget: Budget, chrome: string, workspace: string, dedicated: boolean): Promise<ChromeBrowser> {
    const { fleet, deps } = this;
    if (fleet.apply({ type: 'launching', chrome, workspace, dedicated }))
      throw quotaError('chromes-server', launchedChromes(fleet.state), deps.most);
    try {
      const record = await this.#starter.start(budget, chrome, workspace);
      return await this.#connectOrBury(budget, record);
    } finally {
      // Refused when it has started.
      fleet.apply({ type: 'not-started', chrome });
    }
  }

  async #connectOrBury(budget: Budget, record: BrowserRecord): Promise<ChromeBrowser> {
    try {
      return await this.#connect(budget, record);
    } catch (error) {
      await this.#bury(record);
      throw error;
    }
  }

  /**
   * Makes all contexts of a session, the ordinary one first. If one fails, removes those already made, or the whole
   * Chrome when it is dedicated.
   */
  async makeContexts(budget: Budget, browser: ChromeBrowser, spec: ContextSpec, count = 1): Promise<NewContext[]> {
    const made: NewContext[] = [];
    try {
      while (made.length < count) made.push(await this.makeContext(budget, browser, spec));
      return made;
    } catch (error) {
      if (this.isDedicated(browser)) await this.remove(browser);
      else for (const { contextId } of made) await browser.disposeContext(monotonicClock, contextId);
      throw error;
    }
  }

  /**
   * The only function that makes a context for a session; in a launched Chrome it uses the session's proxy listener.
   * Throws BROWSER_DOWN when Chrome does not answer.
   */
  makeContext(budget: Budget, browser: ChromeBrowser, { session }: ContextSpec): Promise<NewContext> {
    const make = async (egressPort: number | undefined): Promise<NewContext> => ({
      contextId: await contextIn(budget, browser, proxied(egressPort), this.deps.timing.contextMs),
      egressPort,
    });
    return browser.origin === 'launched' ? this.chromeEgress.opened(budget, session, make) : make(undefined);
  }

  /** The Chrome already attached by this address. */
  attachedBy(workspace: string, cdpUrl: string): ChromeBrowser | undefined {
    return [...this.#managed.values()].find(
      ({ record, browser }) =>
        record.workspace === workspace && record.origin === 'attached' && record.cdpUrl === cdpUrl && !browser.gone,
    )?.browser;
  }

  /** Attaches to a running Chrome by CDP address (BR3). */
  attach(budget: Budget, workspace: string, cdpUrl: string): Promise<ChromeBrowser> {
    const record = attachedRecord(newBrowserId(), workspace, cdpUrl);
    return this.chromeEgress.guarding(record.id, [cdpUrl], () =>
      this.#reaching(record, false, () => this.#connect(budget, record)),
    );
  }

  /** Counts a Chrome that was not launched now as starting while `reach` connects to it. */
  async #reaching<T>(
    { id, workspace, origin }: BrowserRecord,
    dedicated: boolean,
    reach: () => Promise<T>,
  ): Promise<T> {
    this.fleet.apply({ type: 'reaching', chrome: id, workspace, origin, dedicated });
    try {
      return await reach();
    } finally {
      // Refused when it has started.
      this.fleet.apply({ type: 'not-started', chrome: id });
    }
  }

  get attachMs(): number {
    return this.deps.timing.attachMs;
  }

  /**
   * Reconnects in parallel to the Chromes of an earlier run that still live, so that one that does not answer delays no
   * other. Marks the others as ended and removes unused profile folders.
   *
   * @param records Of all workspaces: profile folders of Chromes that are not among them are deleted
   * @param sessions Those that have not ended, of all workspaces
   */
  async restore(budget: Budget, records: readonly BrowserRecord[], sessions: readonly SessionRecord[]): Promise<void> {
    const folders = await this.#profiles.list();
    const dedicated = new Set(
      sessions.filter(({ isolation }) => isolation === 'browser').map(({ browser }) => browser),
    );
    await Promise.all(
      records.map(async (record) => {
        const isFound = await this.#reaching(record, dedicated.has(record.id), () => this.#restoreOne(budget, record));
        if (!isFound) await this.#markEnded(record);
      }),
    );
    void this.#profiles.sweep(folders.filter((id) => !this.#managed.has(id)));
  }

  /**
   * Stores the end of a Chrome, then removes it; no later server attaches it again. Throws STORE_BUSY, and what ends
   * the budget: the Chrome is then removed when the store takes that, if it does, and ending it again does no harm.
   */
  async end(budget: Budget, browser: ChromeBrowser): Promise<void> {
    const managed = this.#managed.get(browser.id);
    const stored = managed ? this.#storeEnd(managed.record) : Promise.resolve();
    const removed = stored.then(() => this.remove(browser));
    removed.catch(() => undefined);
    await budget.during('the store', () => inTime(monotonicClock, stored));
    await budget.during('Chrome to end', () => removed);
  }

  /** Stops a launched Chrome, or detaches from an attached one (BR3). Does not wait for the store. */
  async remove(browser: ChromeBrowser): Promise<void> {
    const managed = this.#managed.get(browser.id);
    this.fleet.apply({ type: 'released', chrome: browser.id });
    if (browser.origin === 'attached') browser.detach({ code: 'browserDetached' });
    // Does not wait for a Chrome that does not answer: its process is killed after a patience.
    await Promise.all([browser.origin === 'launched' && browser.quit(), managed && this.#clear(managed.record)]);
    if (managed) void this.#markEnded(managed.record);
  }

  /**
   * Kills a launched Chrome that runs but does not answer, with all its processes; its sessions are then recovered as
   * after a crash. Returns false, without doing anything, when it answers or is attached.
   */
  async endSilent(browser: ChromeBrowser): Promise<boolean> {
    if (browser.origin !== 'launched' || (await this.answers(browser))) return false;
    this.fleet.apply({ type: 'silent', chrome: browser.id });
    return true;
  }

  /** Whether Chrome answers within `onceMoreMs`. */
  answers(browser: ChromeBrowser): Promise<boolean> {
    return browser.answers(monotonicClock, this.deps.timing.onceMoreMs);
  }

  #kill({ browser, record }: ManagedBrowser): void {
    this.deps.logger.warn({ browser: browser.id }, 'a Chrome that answers nothing is ended');
    endOwn(record);
    // Its sockets may notice the end late.
    browser.detach({ code: 'chromeGone' });
  }

  /** Ends launches in progress; settles when there are none. */
  async quiet(): Promise<void> {
    this.background.end(new WheelhouseError('ABORTED', 'The server is stopping.'));
    await Promise.allSettled(this.#launching.values());
  }

  isDedicated(browser: ChromeBrowser): boolean {
    return this.fleet.state.chromes.get(browser.id)?.dedicated ?? false;
  }

  /** Detaches from all Chromes when the server stops: they run on and the next server finds them (OP3, F11). */
  detachAll(): void {
    this.#profiles.dispose();
    for (const { browser } of this.#managed.values()) {
      this.fleet.apply({ type: 'released', chrome: browser.id });
      browser.detach({ code: 'serverStopped' });
    }
  }

  /** Returns false when the Chrome is not usable: its sessions then continue in another one. */
  async #restoreOne(budget: Budget, record: BrowserRecord): Promise<boolean> {
    if (!runs(record)) return false;
    if (isOpen(record)) {
      this.chromeEgress.outdate(record);
      await this.#bury(record);
      return false;
    }
    await this.chromeEgress.reopenFloor(record);
    const browser = await this.#reachAgain(budget, record);
    if (!browser) return false;
    try {
      await this.#own(budget, browser, record);
      return true;
    } catch (error) {
      this.deps.logger.error(
        { browser: record.id, reason: messageOf(error) },
        'a Chrome of the last run answers, but could not be taken over: it is let go, and ended after five minutes',
      );
      return false;
    }
  }

  /**
   * Kills a launched Chrome of the last run that does not answer (F11). One that answers but cannot be connected is
   * left to its orphan reaper.
   */
  async #reachAgain(budget: Budget, record: BrowserRecord): Promise<ChromeBrowser | undefined> {
    const found = await reachAgain(budget, record, this.deps);
    if (found !== 'silent') return found;
    if (record.origin === 'launched') await this.#bury(record);
    return undefined;
  }

  async #connect(budget: Budget, record: BrowserRecord): Promise<ChromeBrowser> {
    const browser = await reachChrome(budget, record, this.deps);
    await this.#own(budget, browser, record);
    return browser;
  }

  /** Takes over a Chrome that answers; on failure detaches from it and gives up ownership. */
  async #own(budget: Budget, browser: ChromeBrowser, record: BrowserRecord): Promise<void> {
    try {
      await Promise.all(this.#known.claim(browser, record).map((twin) => this.remove(twin)));
      await this.#takeOver(budget, browser, record);
    } catch (error) {
      this.fleet.apply({ type: 'released', chrome: record.id });
      browser.detach({ code: 'browserDetached' });
      // It may have gone before we listened for that.
      this.#gone(record.id);
      if (record.userDataDir !== null) await releaseChrome(record.userDataDir);
      throw error;
    }
  }

  async #takeOver(budget: Budget, browser: ChromeBrowser, record: BrowserRecord): Promise<void> {
    const { id, origin } = record;
    const { product } = browser;
    this.chromeEgress.guard(id, [record.cdpUrl, browser.wsUrl]);
    if (record.userDataDir !== null) claimChrome(record.userDataDir, process.pid);
    // Resumes processes that a killed server had stopped (AC6), before sending Chrome any command.
    continueOwn(record);
    const live: BrowserRecord = { ...record, product, state: 'live' };
    const stored = this.#store(live);
    try {
      await budget.during('the store', () => inTime(monotonicClock, stored));
    } catch (error) {
      // It may be stored late, when no one has it any more.
      void stored.then(
        () => this.#markEnded(live),
        () => undefined,
      );
      throw error;
    }
    this.#managed.set(id, { browser, record: live });
    browser.onGone.on(({ said }) => this.#gone(id, said));
    this.memory.changed();
    if (this.fleet.apply({ type: 'started', chrome: id })) throw new WheelhouseError('ABORTED', { code: 'chromeGone' });
    if (origin === 'launched')
      new ChromeWatchdog(
        browser.lanes.commands.browser,
        monotonicClock,
        () => this.endSilent(browser),
        this.deps.timing,
      );
    this.onBrowser.emit(browser);
    await browser.discover(budget);
    this.deps.logger.info({ browser: id, product }, `${origin} a browser`);
  }

  async #store(record: BrowserRecord): Promise<void> {
    const { id, workspace, product, state } = record;
    const { browsers } = this.deps.store;
    if (await browsers.get(workspace, id)) await browsers.update(workspace, id, { product, state }, new Date());
    else await browsers.add(record);
  }

  #gone(chrome: string, why: Message = { code: 'chromeGone' }): void {
    // The fleet does not have one whose start it refused.
    if (this.fleet.apply({ type: 'gone', chrome, why })) this.#managed.delete(chrome);
  }

  #drop({ record }: ManagedBrowser, crashed: boolean): void {
    this.#managed.delete(record.id);
    if (crashed) void Promise.all([this.#markEnded(record), this.#bury(record)]);
  }

  /** Ends the remaining processes of a crashed Chrome and removes its profile, which holds no session data (F11). */
  async #bury(record: BrowserRecord): Promise<void> {
    endOwn(record);
    await this.#clear(record);
  }

  /** Settles when the process has ended: only then may pages reach its debugging port again. */
  async #clear(record: BrowserRecord): Promise<void> {
    await this.#profiles.clear(record);
    if (record.origin === 'launched') await this.chromeEgress.unguard(record.id);
  }

  /** Logs a failed update only: the next start notices that the process has ended. */
  async #markEnded(record: BrowserRecord): Promise<void> {
    try {
      await this.#storeEnd(record);
    } catch (error) {
      this.deps.logger.error(
        { browser: record.id, error: messageOf(error) },
        'the end of a Chrome could not be stored',
      );
    }
  }

  #storeEnd({ id, workspace }: BrowserRecord): Promise<void> {
    return this.deps.store.browsers.update(workspace, id, { state: 'ended' }, new Date());
  }
}
