import type { WheelhouseError } from '@/lib/errors/error';

/** Runs work one after the other, and refuses work when too much waits. */
export class SerialQueue {
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param most how many may wait
   * @param refusal what `run` throws when so many wait
   */
  constructor(
    private readonly most: number,
    private readonly refusal: () => WheelhouseError,
  ) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= this.most) throw this.refusal();
    this.#waiting += 1;
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
    }
  }
}
