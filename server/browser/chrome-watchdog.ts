import { Timer } from '@/lib/async/timers';
import type { Clock } from '@/lib/budget/clock';
import type { ChromeTiming } from '@/server/config/timings';
import type { CdpSession } from '@/server/cdp/session';

/**
 * Detects a Chrome whose process runs but no longer answers: stopped, out of memory or stuck (BR5, CO9). Uses
 * Browser.getVersion, which Chrome answers even while all pages loop. Counts beats; one late timer counts as one beat,
 * so that a server that was suspended reads Chrome's answers before it counts on.
 */
export class ChromeWatchdog {
  #silent = 0;
  #asking = false;
  readonly #timer: Timer;

  constructor(
    private readonly root: CdpSession,
    clock: Clock,
    /** Returns whether it ended Chrome. On false the watch continues. */
    private readonly onSilent: () => Promise<boolean>,
    private readonly timing: Pick<ChromeTiming, 'everyMs' | 'beats'>,
  ) {
    this.#timer = new Timer(clock);
    this.#plan();
    root.onEnd(() => this.dispose());
  }

  dispose(): void {
    this.#timer.stop();
  }

  #plan(): void {
    if (!this.root.ended) this.#timer.start(this.timing.everyMs, () => this.#beat());
  }

  #beat(): void {
    this.#silent = this.#asking ? this.#silent + 1 : 0;
    if (this.#silent >= this.timing.beats) return void this.#tell();
    if (!this.#asking) void this.#ask();
    this.#plan();
  }

  async #tell(): Promise<void> {
    this.#silent = 0;
    let ended = false;
    try {
      ended = await this.onSilent();
    } finally {
      if (!ended) this.#plan();
    }
  }

  async #ask(): Promise<void> {
    this.#asking = true;
    await this.root.sendMayFail('Browser.getVersion');
    this.#asking = false;
  }
}
