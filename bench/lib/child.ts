import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** What a child answers to each order; empty for orders that measure nothing. */
const reportSchema = z.object({ figures: z.array(z.number()) });

/** A process of the benchmark beside the server's, as the benchmark sees it. It runs with the same loader. */
export class Child<Order extends object> {
  readonly #child: ChildProcess;

  constructor(file: URL) {
    this.#child = fork(fileURLToPath(file));
  }

  /** Sends one order at a time; returns its figures. Rejects when the order failed, which ends the process. */
  order(order: Order): Promise<number[]> {
    return new Promise((resolve, reject) => {
      const ended = (): void => reject(new Error('A process of viewers has ended.'));
      this.#child.once('exit', ended);
      this.#child.once('message', (report) => {
        this.#child.off('exit', ended);
        resolve(reportSchema.parse(report).figures);
      });
      this.#child.send(order);
    });
  }

  close(): void {
    this.#child.kill();
  }
}
