import type { Budget } from '@/lib/budget/budget';

/**
 * Actions of one tab, one after the other, in the order they came (AC6). A waiter whose budget ends leaves the line.
 */
export class ActionQueue {
  #tail: Promise<void> = Promise.resolve();

  async run<T>(budget: Budget, work: () => Promise<T>): Promise<T> {
    const before = this.#tail;
    let leave = (): void => undefined;
    const mine = new Promise<void>((resolve) => {
      leave = resolve;
    });
    this.#tail = before.then(() => mine);
    try {
      await budget.during('earlier actions of this tab', () => before);
      return await work();
    } finally {
      leave();
    }
  }
}
