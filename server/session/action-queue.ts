import { Deferred } from '@/lib/async/deferred';
import type { Budget } from '@/lib/budget/budget';

/**
 * Runs the actions of one tab one after another, in the order they came (AC6). A waiter whose budget ends leaves the
 * queue.
 */
export class ActionQueue {
  #tail: Promise<void> = Promise.resolve();

  async run<T>(budget: Budget, work: () => Promise<T>): Promise<T> {
    const before = this.#tail;
    const mine = new Deferred();
    this.#tail = before.then(() => mine.promise);
    try {
      await budget.during('earlier actions of this tab', () => before);
      return await work();
    } finally {
      mine.resolve();
    }
  }
}
