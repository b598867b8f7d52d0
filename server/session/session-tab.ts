import type { Tab } from '@/server/browser/tab';
import { ActionQueue } from './action/action-queue';
import type { Leases } from './leases';

/**
 * A tab in a session with its action queue. Features keep what they have of a tab by slots of it (`Slot`), and end it
 * by `onDispose`.
 */
export class SessionTab {
  readonly queue = new ActionQueue();
  readonly #ends: (() => void)[] = [];

  constructor(
    readonly tab: Tab,
    private readonly leases: Leases,
  ) {}

  epoch(): number {
    return this.leases.lease(this.tab.id)?.epoch ?? 0;
  }

  /** Adds a function that `dispose` calls. */
  onDispose(end: () => void): void {
    this.#ends.push(end);
  }

  dispose(): void {
    for (const end of this.#ends.splice(0)) end();
  }
}
