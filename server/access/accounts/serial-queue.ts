import { Deferred } from '@/lib/async/deferred';
import type { WheelhouseError } from '@/lib/errors/error';

/**
 * Runs work one after the other. The lanes in which work waits take turns; work is refused where too much waits in its
 * lane.
 */
export class SerialQueue {
  /** By lane, how the work that waits there is let go; that of the work which runs is the very first. */
  readonly #lanes = new Map<string, (() => void)[]>();

  /**
   * @param most how many may wait in a lane
   * @param refusal what `run` throws when so many wait
   */
  constructor(
    private readonly most: number,
    private readonly refusal: () => WheelhouseError,
  ) {}

  async run<T>(work: () => Promise<T>, lane = ''): Promise<T> {
    const waiting = this.#lanes.get(lane) ?? [];
    if (waiting.length >= this.most) throw this.refusal();
    const idle = this.#lanes.size === 0;
    const turn = new Deferred<void>();
    waiting.push(() => turn.resolve());
    this.#lanes.set(lane, waiting);
    if (idle) turn.resolve();
    await turn.promise;
    try {
      return await work();
    } finally {
      this.#done(lane, waiting);
    }
  }

  /** The lane goes behind the others; the first of them has its turn. */
  #done(lane: string, waiting: (() => void)[]): void {
    waiting.shift();
    this.#lanes.delete(lane);
    if (waiting.length > 0) this.#lanes.set(lane, waiting);
    const [next] = this.#lanes.values();
    next?.[0]?.();
  }
}
