import { Deferred } from '@/lib/async/deferred';
import type { Budget } from '@/lib/budget/budget';

/**
 * The turns of the actions of one tab, one after another, in the order they came (AC6). A waiter whose budget ends
 * leaves the queue.
 */
export class ActionQueue {
  #tail: Promise<void> = Promise.resolve();

  /** Waits for the turn of an action; call the returned function when it is over. */
  async turn(budget: Budget): Promise<() => void> {
    const before = this.#tail;
    const mine = new Deferred();
    this.#tail = before.then(() => mine.promise);
    try {
      await budget.during('earlier actions of this tab', () => before);
      return () => mine.resolve();
    } catch (error) {
      mine.resolve();
      throw error;
    }
  }
}
