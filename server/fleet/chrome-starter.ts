import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import type { Egress } from '@/server/access/egress/egress';
import { detectChrome, type Detection } from '@/server/browser/find-chrome';
import { freePort } from '@/server/browser/free-port';
import { startOrphanReaper } from '@/server/browser/orphan-reaper';
import { launchChrome } from '@/server/browser/launch';
import type { ChromeConfig } from '@/server/config/config';
import type { BrowserRecord } from '@/server/store/browsers';
import { launchedRecord } from './browser-records';
import type { Profiles } from './profiles';
import type { ChromeEgress } from './chrome-egress';

export interface ChromeStarterDeps {
  readonly config: ChromeConfig;
  readonly egress: Egress;
  /** PATH, where Chrome is looked for. */
  readonly searchPath: string;
  readonly profiles: Profiles;
  readonly chromeEgress: ChromeEgress;
}

/** Finds and starts Chromes. */
export class ChromeStarter {
  constructor(private readonly deps: ChromeStarterDeps) {}

  detect(): Promise<Detection> {
    const { config, searchPath } = this.deps;
    return detectChrome({
      configured: config.path,
      platform: process.platform,
      searchPath,
      environment: config.environment,
    });
  }

  /**
   * Starts a Chrome with its own profile folder and with the proxy as its only network path. Throws BROWSER_DOWN with a
   * hint (BR2).
   */
  async start(budget: Budget, id: string, workspace: string): Promise<BrowserRecord> {
    const { chosen, candidates } = await this.detect();
    if (!chosen)
      throw new WheelhouseError(
        'BROWSER_DOWN',
        { code: 'noChromeHere' },
        { hint: { code: 'noChromeCure' }, details: { candidates } },
      );
    try {
      return await this.#start(budget, id, workspace, chosen.path);
    } catch (error) {
      await this.deps.chromeEgress.unguard(id);
      throw error;
    }
  }

  /** Blocks pages from the debugging port before Chrome opens it. */
  async #start(budget: Budget, id: string, workspace: string, chromePath: string): Promise<BrowserRecord> {
    const { headless, noSandbox, args, environment } = this.deps.config;
    const userDataDir = this.deps.profiles.folderOf(id);
    const [floorPort, port] = await Promise.all([this.deps.egress.openFloor(id), freePort()]);
    this.deps.chromeEgress.guard(id, [`http://127.0.0.1:${port}`]);
    const chrome = await launchChrome(budget, {
      chromePath,
      userDataDir,
      floorPort,
      port,
      headless,
      noSandbox,
      environment,
      extraArgs: args,
    });
    startOrphanReaper(chrome.pid, userDataDir);
    return launchedRecord(id, workspace, chrome, { userDataDir, floorPort });
  }
}
