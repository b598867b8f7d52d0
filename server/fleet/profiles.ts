import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '@/lib/budget/clock';
import { messageOf } from '@/lib/errors/error';
import { startOrphanReaper } from '@/server/browser/orphan-reaper';
import { removeProfile } from '@/server/browser/launch';
import { awaitExit, chromeOn } from '@/server/browser/process-id';
import type { BrowserRecord } from '@/server/store/browsers';
import type { Logger } from '@/server/telemetry/logger';
import { Timers } from '@/lib/async/timers';

/** Folder below the data directory. */
const FOLDER = 'chrome';
/** Form of a browser id. */
const OURS = /^b_[\da-f]{8}$/;
/** How long Chrome may take to end by itself, milliseconds. */
const EXIT_PATIENCE_MS = 5_000;

/** The profile folders of launched Chromes. Each is of use only to its own Chrome and is removed with it (F11). */
export class Profiles {
  readonly #root: string;
  readonly #timers: Timers;

  constructor(
    dataDir: string,
    clock: Clock,
    private readonly logger: Logger,
    private readonly lookEveryMs: number,
  ) {
    this.#root = path.join(dataDir, FOLDER);
    this.#timers = new Timers(clock);
  }

  folderOf(browser: string): string {
    return path.join(this.#root, browser);
  }

  /** Existing profile folders, by browser id. Ignores other files in the folder. */
  async list(): Promise<string[]> {
    const names = await readdir(this.#root).catch(() => []);
    return names.filter((name) => OURS.test(name));
  }

  /**
   * Waits for Chrome to end, kills it when that takes too long, and removes its profile. Does nothing for an attached
   * Chrome. Never rejects.
   */
  async clear({ pid, processStarted, userDataDir }: BrowserRecord): Promise<void> {
    if (pid !== null && processStarted !== null) await awaitExit(pid, processStarted, EXIT_PATIENCE_MS);
    if (userDataDir !== null) await this.#remove(userDataDir);
  }

  /**
   * Removes profiles that no session uses, each as soon as no Chrome runs on it; makes sure that such a Chrome ends.
   */
  async sweep(browsers: readonly string[]): Promise<void> {
    for (const browser of browsers) {
      const folder = this.folderOf(browser);
      const pid = chromeOn(folder);
      if (pid === undefined) await this.#remove(folder);
      else {
        // A server killed while it started Chrome has left no orphan reaper.
        startOrphanReaper(pid, folder);
        this.#follow(browser);
      }
    }
  }

  dispose(): void {
    this.#timers.dispose();
  }

  #follow(browser: string): void {
    this.#timers.plan(browser, this.lookEveryMs, () => {
      if (chromeOn(this.folderOf(browser)) === undefined) void this.#remove(this.folderOf(browser));
      else this.#follow(browser);
    });
  }

  async #remove(folder: string): Promise<void> {
    try {
      await removeProfile(folder);
    } catch (error) {
      this.logger.warn(
        { browser: path.basename(folder), reason: messageOf(error) },
        'the profile of a Chrome could not be removed: the next start tries again',
      );
    }
  }
}
