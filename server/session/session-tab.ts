import type { Clock } from '@/lib/budget/clock';
import type { Tab } from '@/server/browser/tab';
import type { Logger } from '@/server/telemetry/logger';
import { ActionQueue } from './action-queue';
import type { Leases } from './leases';
import { SnapshotFeed } from './snapshot-feed';
import type { Streams } from './streams';

/** A tab in a session with its action queue and viewers. Disposed with the tab. */
export class SessionTab {
  readonly queue = new ActionQueue();
  readonly feed: SnapshotFeed;
  readonly #ends: (() => void)[] = [];

  constructor(
    readonly tab: Tab,
    readonly streams: Streams,
    private readonly leases: Leases,
    clock: Clock,
    logger: Logger,
    visibilityEpoch: () => number | undefined,
  ) {
    this.feed = new SnapshotFeed(tab, clock, logger, visibilityEpoch);
  }

  epoch(): number {
    return this.leases.lease(this.tab.id)?.epoch ?? 0;
  }

  /** Adds a function that `dispose` calls. */
  onDispose(end: () => void): void {
    this.#ends.push(end);
  }

  dispose(): void {
    for (const end of this.#ends.splice(0)) end();
    this.feed.dispose();
    this.streams.dispose();
  }
}
