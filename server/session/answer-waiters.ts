import { Timer } from '@/lib/async/timers';
import type { Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { WheelhouseError } from '@/lib/errors/error';

/**
 * An action whose callers have all been cut off goes on for so long, for one of them to send it again; then it ends
 * like that of any caller who goes away. Milliseconds (F7).
 */
export const RESEND_MS = 10_000;

/**
 * Who waits for the answer of one action that carries an id: its first caller, and whoever sent it again since (CO10,
 * F7).
 */
export class AnswerWaiters {
  readonly #waiting = new Map<() => void, AbortSignal | undefined>();
  readonly #timer: Timer;

  /** @param budget of the action; aborted when nobody has come back for it */
  constructor(
    clock: Clock,
    private readonly budget: Budget,
  ) {
    this.#timer = new Timer(clock);
  }

  /** One more waits, until `gone`, or until the returned function is called. */
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

  /** The action has been answered. */
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
