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

/** Below the data directory. */
const FOLDER = 'chrome';
/** As the ids of browsers are made. */
const OURS = /^b_[\da-f]{8}$/;
/** How long Chrome may take to end by itself, milliseconds. */
const EXIT_PATIENCE_MS = 5_000;

/**
 * The folders of the Chromes that we launch. Each holds what one Chrome needs while it runs, and is of no use to the
 * next: it goes with its Chrome (F11).
 */
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

  /** Those that are there, by the id of their browser. What else lies in the folder is not ours. */
  async list(): Promise<string[]> {
    const names = await readdir(this.#root).catch(() => []);
    return names.filter((name) => OURS.test(name));
  }

  /**
   * Waits for Chrome to end, ends it where that takes too long, and removes its profile. Of an attached one nothing is
   * ours. Never rejects.
   */
  async clear({ pid, processStarted, userDataDir }: BrowserRecord): Promise<void> {
    if (pid !== null && processStarted !== null) await awaitExit(pid, processStarted, EXIT_PATIENCE_MS);
    if (userDataDir !== null) await this.#remove(userDataDir);
  }

  /**
   * No session lives there any more: each is removed as soon as no Chrome runs on it, which is watched so that it ends.
   */
  async sweep(browsers: readonly string[]): Promise<void> {
    for (const browser of browsers) {
      const folder = this.folderOf(browser);
      const pid = chromeOn(folder);
      if (pid === undefined) await this.#remove(folder);
      else {
        // A server that was killed while it started Chrome has left nobody to end it.
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
