import type { Clock } from '@/lib/budget/clock';
import type { Said } from '@/lib/said/said';
import type { Tab } from '@/server/browser/tab';
import type { Logger } from '@/server/telemetry/logger';
import { ActionQueue } from './action-queue';
import type { ControlDesk } from './control-desk';
import { SnapshotFeed } from './snapshot-feed';
import type { Streams } from './streams';

/** A tab inside a session: the tab itself, its line of actions, its viewers. Disposed with the tab. */
export class TabSeat {
  readonly queue = new ActionQueue();
  readonly feed: SnapshotFeed;
  /** Why the agent at its wheel gets nowhere (CO9). */
  stuck: { readonly since: string; readonly reason: string; readonly said: Said } | undefined;
  /** Its page floods its Chrome, or did (AC6). */
  flood: TabSeat['stuck'];
  readonly #ends: (() => void)[] = [];

  constructor(
    readonly tab: Tab,
    readonly streams: Streams,
    private readonly desk: ControlDesk,
    clock: Clock,
    logger: Logger,
    sight: () => number | undefined,
  ) {
    this.feed = new SnapshotFeed(tab, clock, logger, sight);
  }

  epoch(): number {
    return this.desk.lease(this.tab.id)?.epoch ?? 0;
  }

  /** Something that ends with the seat. */
  onDispose(end: () => void): void {
    this.#ends.push(end);
  }

  dispose(): void {
    for (const end of this.#ends.splice(0)) end();
    this.feed.dispose();
    this.streams.dispose();
  }
}
