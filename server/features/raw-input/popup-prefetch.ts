import { sleep } from '@/lib/async/within';
import type { Point } from '@/lib/actions/kinds';
import { withBudget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { popupKindAt, type PopupKind } from '@/server/browser/input/native-popup';
import type { Tab } from '@/server/browser/tab';

/** Shortest interval between the starts of two checks while the pointer moves. Milliseconds. */
const GAP_MS = 80;
/** A page whose last two checks each took longer is busy; a press does not wait for it as long. Milliseconds. */
const BUSY_MS = 150;
/** Longest wait of a press for a check: on a page that answers normally, and on a busy one. Milliseconds. */
const PRESS_WAIT_MS = { calm: 1_000, busy: 40 } as const;

interface PrefetchedPopup {
  readonly loaderId: string;
  readonly at: Point;
  readonly met: PopupKind;
}

interface PointerWatch {
  /** The result of the last check. */
  prefetched: PrefetchedPopup | undefined;
  /** Durations of the last two checks, milliseconds. */
  took: readonly number[];
  /** The pointer's newest position that was not checked yet. */
  next: Point | undefined;
  looking: boolean;
}

/**
 * Checks in parallel to a person's pointer moves for popups under the pointer, so that a press need not wait for a
 * check (DI3), and measures how fast the page answers.
 */
export class PopupPrefetch {
  readonly #tabs = new WeakMap<Tab, PointerWatch>();

  constructor(private readonly clock: Clock) {}

  /** Starts a check at the pointer's new position. Does not wait. */
  moved(tab: Tab, { x, y }: Point): void {
    const watched = this.#of(tab);
    watched.next = { x, y };
    if (!watched.looking) void this.#watchPointer(tab, watched);
  }

  /** True when the last check found no popup at this point of this document. */
  foundNone(tab: Tab, { x, y }: Point): boolean {
    const prefetched = this.#of(tab).prefetched;
    return (
      prefetched?.met === 'nothing' &&
      prefetched.at.x === x &&
      prefetched.at.y === y &&
      prefetched.loaderId === tab.page.document.loaderId
    );
  }

  /** Longest wait of a press for a check of this page, milliseconds. */
  patienceMs(tab: Tab): number {
    const { took } = this.#of(tab);
    return took.length > 1 && took.every((ms) => ms > BUSY_MS) ? PRESS_WAIT_MS.busy : PRESS_WAIT_MS.calm;
  }

  /** Runs a check and records its duration; a failed check counts as too slow. */
  async timed<T>(tab: Tab, look: () => Promise<T>): Promise<T> {
    const from = this.clock.now();
    let took = Number.POSITIVE_INFINITY;
    try {
      const seen = await look();
      took = this.clock.now() - from;
      return seen;
    } finally {
      const watched = this.#of(tab);
      watched.took = [...watched.took, took].slice(-2);
    }
  }

  async #watchPointer(tab: Tab, watched: PointerWatch): Promise<void> {
    watched.looking = true;
    for (let at = watched.next; at; at = watched.next) {
      watched.next = undefined;
      const gap = sleep(this.clock, GAP_MS);
      watched.prefetched = await this.#look(tab, at);
      await gap;
    }
    watched.looking = false;
  }

  async #look(tab: Tab, at: Point): Promise<PrefetchedPopup | undefined> {
    const { loaderId } = tab.page.document;
    try {
      const met = await withBudget({ timeoutMs: PRESS_WAIT_MS.calm, clock: this.clock }, (budget) =>
        this.timed(tab, () => popupKindAt(budget, tab, at)),
      );
      return { loaderId, at, met };
    } catch {
      // A failed check gives no result.
      return undefined;
    }
  }

  #of(tab: Tab): PointerWatch {
    const known = this.#tabs.get(tab);
    if (known) return known;
    const made: PointerWatch = { prefetched: undefined, took: [], next: undefined, looking: false };
    this.#tabs.set(tab, made);
    return made;
  }
}
