import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { reportSchema, type ViewerOrder } from './viewer-orders';

/** The viewer process, as the benchmark sees it. It runs with the same loader as this process. */
export class Viewers {
  readonly #child: ChildProcess = fork(fileURLToPath(new URL('./viewers-process.ts', import.meta.url)));

  /** Sends one order at a time; returns its figures. */
  order(order: ViewerOrder): Promise<number[]> {
    return new Promise((resolve, reject) => {
      const ended = (): void => reject(new Error('The process of viewers has ended.'));
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
