import type { Clock } from '@/lib/budget/clock';
import type { Lease } from '@/lib/control/lease';
import type { SavedTab } from '@/lib/state/saved';

/**
 * A Chrome that ends in an orderly way closes its tabs first, one after the other, and is gone within this, also on a
 * busy machine. Milliseconds.
 */
const ENDING_MS = 5_000;

interface TabClose {
  readonly tab: SavedTab;
  /** Who had its wheel. */
  readonly lease: Lease | undefined;
  readonly popup: boolean;
  /** The active tab just before. */
  readonly active: string | undefined;
  readonly at: number;
}

interface Ended {
  readonly tabs: readonly SavedTab[];
  readonly active: string | undefined;
  readonly leases: ReadonlyMap<string, Lease>;
}

/**
 * The tabs that went away without anybody having asked: when Chrome is gone a moment later they were open until it
 * ended (BR5).
 */
export class RecentTabCloses {
  #closed: TabClose[] = [];

  constructor(private readonly clock: Clock) {}

  closes(closing: Omit<TabClose, 'at'>): void {
    this.#closed = [...this.#recent(), { ...closing, at: this.clock.now() }];
  }

  /**
   * Chrome is gone, while these were open: what is to be opened anew, which of it was active, and who had the wheel of
   * what was closed. A popup may have closed itself, where others stay open.
   */
  ended(open: readonly SavedTab[]): Ended {
    const recent = this.#recent();
    // The last one that was closed has gone on with an empty page.
    const there = open.filter(({ id }) => !recent.some(({ tab }) => tab.id === id));
    const closed = recent.filter(({ popup }) => !popup || there.length === 0);
    this.#closed = [];
    const tabs = [...there, ...closed.map(({ tab }) => tab)];
    return {
      tabs: tabs.toSorted((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true })),
      active: closed[0]?.active,
      leases: new Map(closed.flatMap(({ tab: { id }, lease }) => (lease ? [[id, lease]] : []))),
    };
  }

  #recent(): TabClose[] {
    const since = this.clock.now() - ENDING_MS;
    return this.#closed.filter(({ at }) => at >= since);
  }
}
