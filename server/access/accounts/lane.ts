import { WheelhouseError } from '@/lib/errors/error';

/** Runs work one after the other. Each hash of a password takes 64 MiB and a fifth of a second. */
export class Lane {
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** @param most how many may wait */
  constructor(private readonly most: number) {}

  /** Throws RATE_LIMITED when too many wait. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= this.most)
      throw new WheelhouseError('RATE_LIMITED', 'Too many people sign in at this moment. Try again in a few seconds.', {
        details: { retryInMs: 5_000 },
      });
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
