import { Timer } from '@/lib/async/timers';
import { SLOWED } from '@/lib/flood/limits';
import type { Clock } from '@/lib/budget/clock';
import { lowerPriority } from './processes';
import type { Renderer } from './renderer';

/**
 * Takes a renderer out of the others' way: behind them in priority and, with `pauses`, stopped most of the time, which
 * also spares Chrome's own process what the page sends it. It can be taken back, unlike a priority by who is not root.
 */
export class Slowdown {
  readonly #timer: Timer;
  #ended = false;

  constructor(
    readonly renderer: Renderer,
    clock: Clock,
    private readonly pauses: boolean,
  ) {
    this.#timer = new Timer(clock);
    this.renew();
    if (pauses) this.#pause();
  }

  /** Threads that came since are put behind, too. */
  renew(): void {
    if (this.renderer.there) lowerPriority(this.renderer.pid, true, !this.pauses);
  }

  /** Lets it run at full speed for so long, milliseconds: something is asked of the page that has a time to keep. */
  spare(ms: number): void {
    if (!this.pauses || this.#ended) return;
    this.renderer.signal('SIGCONT');
    this.#timer.start(ms, () => this.#pause());
  }

  end(): void {
    this.#ended = true;
    this.#timer.stop();
    if (this.renderer.signal('SIGCONT')) lowerPriority(this.renderer.pid, false, !this.pauses);
  }

  #pause(): void {
    if (this.#ended || !this.renderer.signal('SIGSTOP')) return;
    this.#timer.start(SLOWED.pauseMs, () => this.#run());
  }

  #run(): void {
    this.renderer.signal('SIGCONT');
    this.#timer.start(SLOWED.runMs, () => this.#pause());
  }
}
