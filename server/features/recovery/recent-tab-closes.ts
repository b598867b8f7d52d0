import type { Clock } from '@/lib/budget/clock';
import type { Lease } from '@/lib/control/lease';
import type { SavedTab } from '@/lib/state/saved';
import { CHROME_ENDS_MS } from '@/server/session/kernel';

interface TabClose {
  readonly tab: SavedTab;
  /** The tab's lease when it closed. */
  readonly lease: Lease | undefined;
  readonly popup: boolean;
  /** The tab that was active before the close. */
  readonly active: string | undefined;
  readonly at: number;
}

interface Ended {
  readonly tabs: readonly SavedTab[];
  readonly active: string | undefined;
  readonly leases: ReadonlyMap<string, Lease>;
}

/**
 * Remembers tabs that closed without a request: if Chrome is gone a moment later, they were open until it ended and are
 * reopened (BR5).
 */
export class RecentTabCloses {
  #closed: TabClose[] = [];

  constructor(private readonly clock: Clock) {}

  closes(closing: Omit<TabClose, 'at'>): void {
    this.#closed = [...this.#recent(), { ...closing, at: this.clock.now() }];
  }

  /**
   * Chrome is gone while the tabs `open` were left: returns the tabs to reopen, the active one, and the leases of those
   * that Chrome closed. Leaves out closed popups while other tabs are open, because a popup may have closed itself.
   */
  ended(open: readonly SavedTab[]): Ended {
    const recent = this.#recent();
    // The last tab of a session stays listed with an empty page after its close; the closed one replaces it.
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
    const since = this.clock.now() - CHROME_ENDS_MS;
    return this.#closed.filter(({ at }) => at >= since);
  }
}
