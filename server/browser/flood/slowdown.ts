import { SLOWED } from '@/lib/flood/limits';
import type { Clock } from '@/lib/budget/clock';
import { setBehind } from './processes';

/**
 * Takes a renderer out of the others' way: behind them in priority and, with `pauses`, stopped most of the time, which also spares Chrome's own process
 * what the page sends it. It can be taken back, unlike a priority by who is not root. Only for processes that this machine runs for us (Linux, macOS).
 */
export class Slowdown {
  #cancel: (() => void) | undefined;
  #ended = false;

  constructor(
    private readonly pid: number,
    private readonly clock: Clock,
    private readonly pauses: boolean,
  ) {
    setBehind(pid, true, !pauses);
    if (pauses && process.platform !== 'win32') this.#pause();
  }

  /** Threads that came since are put behind, too. */
  renew(): void {
    setBehind(this.pid, true, !this.pauses);
  }

  end(): void {
    this.#ended = true;
    this.#cancel?.();
    goOn(this.pid);
    setBehind(this.pid, false, !this.pauses);
  }

  #pause(): void {
    if (this.#ended || !signal(this.pid, 'SIGSTOP')) return;
    this.#cancel = this.clock.after(SLOWED.pauseMs, () => this.#run());
  }

  #run(): void {
    goOn(this.pid);
    this.#cancel = this.clock.after(SLOWED.runMs, () => this.#pause());
  }
}

/** Lets a process go on that an earlier server may have stopped. */
export function goOn(pid: number): void {
  if (process.platform !== 'win32') signal(pid, 'SIGCONT');
}

function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    // It has ended.
    return false;
  }
}
