import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { WheelhouseError, messageOf } from '@/lib/errors/error';
import { withBudget, type Budget } from '@/lib/budget/budget';
import { monotonicClock } from '@/lib/budget/clock';
import type { Said } from '@/lib/said/said';
import { ChromeBrowser } from '@/server/browser/chrome-browser';
import { Emitter } from '@/server/browser/emitter';
import { detectChrome, type Detection } from '@/server/browser/find-chrome';
import { claimChrome, keepWatch } from '@/server/browser/keeper';
import { launchChrome, type LaunchedChrome } from '@/server/browser/launch';
import { awaitExit, endProcess, processStartTime } from '@/server/browser/process-id';
import { VitalSigns } from '@/server/browser/vital-signs';
import type { ChromeConfig } from '@/server/config/config';
import type { BrowserRecord } from '@/server/store/browsers';
import type { Store } from '@/server/store/store';
import type { Logger } from '@/server/telemetry/logger';
import type { Metrics } from '@/server/telemetry/metrics';

export interface BrowsersDeps {
  readonly store: Store;
  readonly config: ChromeConfig;
  readonly dataDir: string;
  /** PATH, where Chrome is looked for. */
  readonly searchPath: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** How long a Chrome that several callers wait for may take to start, milliseconds. */
const SHARED_LAUNCH_MS = 30_000;
/** A Chrome that is to be ended because it is sick is asked once more, for so long. Milliseconds. */
const SICK_MS = 5_000;
/** Of the time to start, for Chromes of the last run to answer. */
const RESTORE_SHARE = 0.4;
/** How long Chrome may take to end by itself, milliseconds. */
const EXIT_PATIENCE_MS = 5_000;

export interface BrowserView {
  readonly id: string;
  readonly origin: 'launched' | 'attached';
  readonly product: string;
  readonly state: 'live' | 'down';
  readonly tabs: number;
}

interface Managed {
  readonly browser: ChromeBrowser;
  readonly record: BrowserRecord;
  /** Serves one session only and ends with it (SE1, isolation `browser`). */
  readonly dedicated: boolean;
}

/** Every Chrome of the server: launched, attached, found again after a restart (BR1-BR5). */
export class Browsers {
  /** A browser is there; its targets are reported from `discover` on. */
  readonly onBrowser = new Emitter<[ChromeBrowser]>();
  readonly onGone = new Emitter<[browser: ChromeBrowser, reason: Said]>();
  /** One of ours answers nothing, and is ended. */
  readonly onSilent = new Emitter<[ChromeBrowser]>();
  readonly #managed = new Map<string, Managed>();
  readonly #shared = new Map<string, Promise<ChromeBrowser>>();
  readonly #letGo = new Set<string>();
  readonly #stopping = new AbortController();

  constructor(private readonly deps: BrowsersDeps) {}

  list(workspace: string): BrowserView[] {
    return [...this.#managed.values()].filter(({ record }) => record.workspace === workspace).map(({ browser }) => viewOf(browser));
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
    const { config, searchPath } = this.deps;
    return detectChrome({ configured: config.path, platform: process.platform, searchPath });
  }

  /** The workspace's shared Chrome, launched when it is first needed; never shared between workspaces (security.md 1.2). */
  shared(budget: Budget, workspace: string): Promise<ChromeBrowser> {
    const present = [...this.#managed.values()].find(({ record, dedicated, browser }) => record.workspace === workspace && record.origin === 'launched' && !dedicated && !browser.gone);
    if (present) return Promise.resolve(present.browser);
    return budget.race(this.#shared.get(workspace) ?? this.#launchShared(workspace));
  }

  /** On a budget of its own: the first caller may go away while others wait for the same Chrome. */
  #launchShared(workspace: string): Promise<ChromeBrowser> {
    const starting = withBudget({ timeoutMs: SHARED_LAUNCH_MS, clock: monotonicClock, signal: this.stopping }, (budget) => this.launch(budget, workspace, false)).finally(() => this.#shared.delete(workspace));
    this.#shared.set(workspace, starting);
    return starting;
  }

  /** Launches a Chrome with a profile folder of its own. Throws BROWSER_DOWN with the cure (BR2). */
  async launch(budget: Budget, workspace: string, dedicated: boolean): Promise<ChromeBrowser> {
    const { config, dataDir } = this.deps;
    const { chosen, candidates } = await this.detect();
    if (!chosen) throw new WheelhouseError('BROWSER_DOWN', { code: 'noChromeHere' }, { hint: { code: 'noChromeCure' }, details: { candidates } });
    const id = `b_${randomUUID().slice(0, 8)}`;
    const userDataDir = path.join(dataDir, 'chrome', id);
    const { headless, noSandbox, args } = config;
    const chrome = await launchChrome(budget, { chromePath: chosen.path, userDataDir, headless, noSandbox, extraArgs: args });
    keepWatch(chrome.pid, userDataDir);
    const record = launchedRecord(id, workspace, chrome, userDataDir);
    try {
      return await this.#connect(budget, record, dedicated);
    } catch (error) {
      endProcess(chrome.pid);
      await this.#cleanUp(record);
      throw error;
    }
  }

  /** The Chrome that is attached by this address already. */
  attachedBy(workspace: string, cdpUrl: string): ChromeBrowser | undefined {
    return [...this.#managed.values()].find(({ record, browser }) => record.workspace === workspace && record.origin === 'attached' && record.cdpUrl === cdpUrl && !browser.gone)?.browser;
  }

  /** Attaches to a running Chrome by CDP address (BR3). */
  attach(budget: Budget, workspace: string, cdpUrl: string): Promise<ChromeBrowser> {
    return this.#connect(budget, attachedRecord(workspace, cdpUrl), false);
  }

  /** Finds the Chromes of an earlier run that still live, all at once, so that one which does not answer costs no other; the rest is marked as ended. */
  async restore(budget: Budget, workspace: string): Promise<void> {
    const { browsers, sessions } = this.deps.store;
    const [records, open] = await Promise.all([browsers.listOpen(workspace), sessions.listOpen(workspace)]);
    const dedicated = new Set(open.filter(({ isolation }) => isolation === 'browser').map(({ browser }) => browser));
    await Promise.all(
      records.map(async (record) => {
        // What one that answers nothing takes is left of it for those that come in its place.
        const patience = budget.child(budget.remainingMs() * RESTORE_SHARE);
        const found = await this.#restoreOne(patience, record, dedicated.has(record.id));
        patience.dispose();
        if (!found) await this.#mark(record, 'ended');
      }),
    );
  }

  /** Stops one that we launched; lets go of an attached one (BR3). */
  async remove(browser: ChromeBrowser): Promise<void> {
    const managed = this.#managed.get(browser.id);
    this.#letGo.add(browser.id);
    if (browser.origin === 'launched') await browser.quit();
    else browser.detach({ code: 'browserDetached' });
    if (!managed) return;
    await this.#cleanUp(managed.record);
    await this.#mark(managed.record, 'ended');
  }

  /**
   * Ends one of ours that runs and answers nothing any more, with all its processes; its sessions are then brought back as after a crash.
   * False, and nothing is done: it answers, or is not ours to end.
   */
  async endSilent(browser: ChromeBrowser): Promise<boolean> {
    if (browser.origin !== 'launched' || (await browser.answers(monotonicClock, SICK_MS))) return false;
    if (!browser.gone) this.#kill(browser);
    return true;
  }

  #kill(browser: ChromeBrowser): void {
    const record = this.#managed.get(browser.id)?.record;
    this.deps.logger.warn({ browser: browser.id }, 'a Chrome that answers nothing is ended');
    this.onSilent.emit(browser);
    if (record) endOwn(record);
    // Its sockets may take their time to notice.
    browser.detach({ code: 'chromeGone' });
  }

  /** Aborts when the server stops. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Ends what is just being started: nobody would know of it. Settles when nothing is. */
  async quiet(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled(this.#shared.values());
  }

  isDedicated(browser: ChromeBrowser): boolean {
    return this.#managed.get(browser.id)?.dedicated ?? false;
  }

  /** The server stops: every Chrome lives on and is found again (OP3, F11). */
  detachAll(): void {
    for (const { browser } of this.#managed.values()) {
      this.#letGo.add(browser.id);
      browser.detach({ code: 'serverStopped' });
    }
  }

  /** Waits for the process to end and removes its profile: it held one session's state, or several that have all ended. */
  async #cleanUp({ pid, processStarted, userDataDir }: BrowserRecord): Promise<void> {
    if (pid !== null && processStarted !== null) await awaitExit(pid, processStarted, EXIT_PATIENCE_MS);
    if (userDataDir !== null) await rm(userDataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  async #restoreOne(budget: Budget, record: BrowserRecord, dedicated: boolean): Promise<boolean> {
    const { pid, processStarted } = record;
    if (record.origin === 'launched' && (pid === null || processStartTime(pid) !== processStarted)) return false;
    try {
      await this.#connect(budget, record, dedicated);
      return true;
    } catch (error) {
      this.deps.logger.warn({ browser: record.id, reason: messageOf(error) }, 'a Chrome of the last run does not answer');
      // Its sessions go on in another one; nobody would ever know of it again (F11).
      if (record.origin === 'launched') await this.#bury(record);
      return false;
    }
  }

  async #connect(budget: Budget, record: BrowserRecord, dedicated: boolean): Promise<ChromeBrowser> {
    const { id, origin, cdpUrl } = record;
    const { metrics, logger } = this.deps;
    const onSendFailure = (method: string): void => metrics.sendFailed(method);
    const onFault = (error: unknown): void => {
      metrics.fault('browser-event');
      logger.error({ browser: id, error }, 'an event of Chrome could not be handled');
    };
    const browser = await ChromeBrowser.connect(budget, { id, origin, cdpUrl: cdpUrl ?? '', onSendFailure, onFault });
    if (record.userDataDir !== null) claimChrome(record.userDataDir, process.pid);
    const live: BrowserRecord = { ...record, product: browser.product, state: 'live' };
    if (await this.deps.store.browsers.get(record.workspace, id)) await this.deps.store.browsers.update(record.workspace, id, { product: browser.product, state: 'live' }, new Date());
    else await this.deps.store.browsers.add(live);
    this.#managed.set(id, { browser, record: live, dedicated });
    browser.onGone.on((error) => void this.#gone(browser, live, error.said));
    if (origin === 'launched') new VitalSigns(browser.lanes.commands.browser, monotonicClock, () => void this.endSilent(browser));
    this.onBrowser.emit(browser);
    await browser.discover(budget);
    this.deps.logger.info({ browser: id, product: browser.product }, `${origin} a browser`);
    return browser;
  }

  async #gone(browser: ChromeBrowser, record: BrowserRecord, reason: Said = { code: 'chromeGone' }): Promise<void> {
    this.#managed.delete(browser.id);
    this.onGone.emit(browser, this.#letGo.has(browser.id) ? reason : { code: 'chromeGone' });
    if (this.#letGo.has(browser.id)) return;
    await this.#mark(record, 'ended');
    await this.#bury(record);
  }

  /** What is left of one that crashed: its helpers and its profile, in which nothing of ours lives (F11). */
  async #bury(record: BrowserRecord): Promise<void> {
    endOwn(record);
    await this.#cleanUp(record).catch((error: unknown) => this.deps.logger.warn({ browser: record.id, reason: messageOf(error) }, 'the profile of a lost Chrome could not be removed'));
  }

  async #mark(record: BrowserRecord, state: 'ended'): Promise<void> {
    await this.deps.store.browsers.update(record.workspace, record.id, { state }, new Date());
  }
}

/** Ends the process of a record with all of its children; not one that has been given its number since. */
function endOwn({ pid, processStarted }: BrowserRecord): void {
  const now = pid === null ? undefined : processStartTime(pid);
  if (pid !== null && (now === undefined || now === processStarted)) endProcess(pid);
}

function launchedRecord(id: string, workspace: string, chrome: LaunchedChrome, userDataDir: string): BrowserRecord {
  const { pid, port, cdpUrl, startTime } = chrome;
  return { id, workspace, origin: 'launched', cdpUrl, pid, port, processStarted: startTime, userDataDir, product: '', state: 'live', createdAt: new Date().toISOString() };
}

function attachedRecord(workspace: string, cdpUrl: string): BrowserRecord {
  const id = `b_${randomUUID().slice(0, 8)}`;
  return { id, workspace, origin: 'attached', cdpUrl, pid: null, port: null, processStarted: null, userDataDir: null, product: '', state: 'live', createdAt: new Date().toISOString() };
}

function viewOf(browser: ChromeBrowser): BrowserView {
  return { id: browser.id, origin: browser.origin, product: browser.product, state: browser.gone ? 'down' : 'live', tabs: browser.targets().length };
}
