import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { bundledProgram } from './program';

/** A TypeScript program that a test runs in a process of its own; killed when the test ends. */
export class Child {
  readonly process: ChildProcessWithoutNullStreams;
  readonly lines: string[] = [];
  readonly ended: Promise<void>;
  readonly #waiting = new Set<() => void>();
  #over = false;

  /**
   * @param file from the root of the project
   * @param wrap a command in front of it, for example `['unshare', '-m']`.
   */
  constructor(file: string, args: readonly string[], wrap: readonly string[] = []) {
    const [program, ...before] = [...wrap, process.execPath];
    this.process = spawn(program ?? process.execPath, [...before, bundledProgram(file), ...args]);
    createInterface(this.process.stdout).on('line', (line) => {
      this.lines.push(line);
      for (const check of [...this.#waiting]) check();
    });
    this.ended = new Promise((done) => this.process.on('close', () => done()));
    void this.ended.then(() => {
      this.#over = true;
      for (const check of [...this.#waiting]) check();
    });
    onTestFinished(() => this.kill());
  }

  /** Waits for a line that matches; undefined when the program ends without one. */
  line(fits: (line: string) => boolean): Promise<string | undefined> {
    return new Promise((found) => {
      const check = (): void => {
        const line = this.lines.find(fits);
        if (line === undefined && !this.#over) return;
        this.#waiting.delete(check);
        found(line);
      };
      this.#waiting.add(check);
      check();
    });
  }

  /** Waits until `count` lines have come. */
  async count(count: number): Promise<void> {
    await this.line(() => this.lines.length >= count);
  }

  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.ended;
  }
}
