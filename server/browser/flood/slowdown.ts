import { Timer } from '@/lib/async/timers';
import { SLOWED } from '@/lib/flood/limits';
import type { Clock } from '@/lib/budget/clock';
import { lowerPriority } from './processes';
import type { Renderer } from './renderer';

/**
 * Slows a renderer down for the others' sake: gives it the lowest priority and, with `pauses`, stops it most of the
 * time, which also spares Chrome's own process the messages of the page. Pauses can be taken back without root; a
 * lowered priority cannot.
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

  /** Lowers the priority of threads that were started since, too. */
  renew(): void {
    if (this.renderer.there) void this.#lower(true, () => !this.#ended && this.renderer.there);
  }

  /** Lets the renderer run at full speed for so many milliseconds, while a call with a deadline waits for the page. */
  spare(ms: number): void {
    if (!this.pauses || this.#ended) return;
    this.renderer.signal('SIGCONT');
    this.#timer.start(ms, () => this.#pause());
  }

  end(): void {
    this.#ended = true;
    this.#timer.stop();
    if (this.renderer.signal('SIGCONT')) void this.#lower(false, () => this.renderer.there);
  }

  #lower(behind: boolean, isWanted: () => boolean): Promise<void> {
    return lowerPriority(this.renderer.pid, { behind, whole: !this.pauses, isWanted });
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
