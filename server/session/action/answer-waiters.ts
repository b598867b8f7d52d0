import { Timer } from '@/lib/async/timers';
import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { WheelhouseError } from '@/lib/errors/error';

/**
 * How long an action continues after all its callers disconnected, so that one can send it again; then it is aborted.
 * Milliseconds (F7).
 */
export const RESEND_MS = 10_000;

/** The callers who wait for one action: the first, and those who sent it again (CO10, F7). */
export class AnswerWaiters {
  readonly #waiting = new Map<() => void, AbortSignal | undefined>();
  readonly #timer: Timer;

  /** @param budget of the action; aborted when no caller returns in time */
  constructor(
    clock: Clock,
    private readonly budget: Budget,
  ) {
    this.#timer = new Timer(clock);
  }

  /** Adds a caller, who waits until `gone` aborts or the returned function is called. */
  join(gone: AbortSignal | undefined): () => void {
    this.#timer.stop();
    const leave = (): void => {
      gone?.removeEventListener('abort', leave);
      if (this.#waiting.delete(leave) && this.#waiting.size === 0) this.#deserted();
    };
    this.#waiting.set(leave, gone);
    if (gone?.aborted === true) leave();
    else gone?.addEventListener('abort', leave);
    return leave;
  }

  /** Call when the action has been answered. */
  dispose(): void {
    this.#timer.stop();
    for (const [leave, gone] of this.#waiting) gone?.removeEventListener('abort', leave);
    this.#waiting.clear();
  }

  #deserted(): void {
    this.#timer.start(RESEND_MS, () =>
      this.budget.abort(new WheelhouseError('ABORTED', 'The client went away, and did not come back for the answer.')),
    );
  }
}
