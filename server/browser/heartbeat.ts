import { Timer } from '@/lib/async/timers';
import { LATE, within } from '@/lib/async/within';
import type { Clock } from '@/lib/budget/clock';
import { TIMINGS, type HangTiming } from '@/server/config/timings';
import type { Sentinel } from '@/server/cdp/sentinel';

export interface HeartbeatEvents {
  /** Whether there is a known reason not to ask, such as a dialog or a crash. */
  excused(): boolean;
  /** Its process runs only a small part of the time (AC6), so it gets more time to answer. */
  slowed?(): boolean;
  silent(): void;
  /** The page answers, but has run no task since the last beat. */
  still?(): void;
  alive(): void;
}

/** Detects a page whose script never yields, also while no call waits for it. Runs only while wanted. */
export class Heartbeat {
  #wanted = 0;
  readonly #timer: Timer;
  #asking = false;
  #turning = false;
  #disposed = false;

  constructor(
    private readonly sentinel: Sentinel,
    private readonly clock: Clock,
    private readonly events: HeartbeatEvents,
    private readonly timing: HangTiming = TIMINGS.hang,
  ) {
    this.#timer = new Timer(clock);
  }

  /** Runs the heartbeat until the returned function is called. */
  want(): () => void {
    this.#wanted += 1;
    if (this.#wanted === 1) this.#plan();
    let held = true;
    return () => {
      if (held) this.#wanted -= 1;
      held = false;
      if (this.#wanted === 0) this.#rest();
    };
  }

  /** Asks the page now, wanted or not, because something took too long. */
  doubt(): void {
    if (!this.#disposed && !this.#asking && !this.events.excused()) void this.#ask();
  }

  /** Stops for good, because the tab is gone. */
  dispose(): void {
    this.#disposed = true;
    this.#rest();
  }

  #rest(): void {
    this.#timer.stop();
  }

  #plan(): void {
    if (!this.#disposed) this.#timer.ensure(this.timing.everyMs, () => void this.#beat());
  }

  async #beat(): Promise<void> {
    if (!this.#asking && !this.events.excused()) await this.#ask();
    if (this.#turning && !this.#asking && !this.events.excused()) this.events.still?.();
    else if (!this.#turning) void this.#turn();
    if (this.#wanted > 0) this.#plan();
  }

  async #ask(): Promise<void> {
    this.#asking = true;
    const answered = this.sentinel.whenAnswers().then(
      () => this.#answered(),
      () => this.#answered(),
    );
    const patienceMs = this.events.slowed?.() ? this.timing.slowedMs : this.timing.patienceMs;
    if ((await within(this.clock, patienceMs, answered)) === LATE && this.#asking && !this.events.excused())
      this.events.silent();
  }

  #answered(): void {
    this.#asking = false;
    if (!this.#turning) this.events.alive();
  }

  /** Waits for the page to run a task. One wait at a time, so that a page that never does costs one promise. */
  async #turn(): Promise<void> {
    this.#turning = true;
    await this.sentinel.whenTurns().catch(() => undefined);
    this.#turning = false;
    if (!this.#disposed) this.events.alive();
  }
}
