import { sleep } from '@/lib/async/within';
import type { Point } from '@/lib/actions/kinds';
import { withBudget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { popupKindAt, type PopupKind } from '@/server/browser/input/native-popup';
import type { Tab } from '@/server/browser/tab';

/** Between the beginnings of two looks while the pointer moves, milliseconds. */
const GAP_MS = 80;
/**
 * A page that took longer for the last two looks is busy, and a press is not kept waiting for a third. Milliseconds.
 */
const BUSY_MS = 150;
/** So long a press waits for a look: where the page answers as a rule, and where it is busy. Milliseconds. */
const PATIENCE_MS = { calm: 1_000, busy: 40 } as const;

interface PrefetchedPopup {
  readonly loaderId: string;
  readonly at: Point;
  readonly met: PopupKind;
}

interface Watched {
  /** What the pointer was over when it was looked at last. */
  sight: PrefetchedPopup | undefined;
  /** What the last two looks took, milliseconds. */
  took: readonly number[];
  /** Where the pointer is and was not looked at yet. */
  next: Point | undefined;
  looking: boolean;
}

/**
 * What a person's pointer is over, looked at beside its way, so that a press does not have to wait for it (DI3), and
 * how soon the page answers.
 */
export class PopupPrefetch {
  readonly #tabs = new WeakMap<Tab, Watched>();

  constructor(private readonly clock: Clock) {}

  /** The pointer has moved here. Waits for nothing. */
  moved(tab: Tab, { x, y }: Point): void {
    const watched = this.#of(tab);
    watched.next = { x, y };
    if (!watched.looking) void this.#follow(tab, watched);
  }

  /** Whether the pointer was seen over something of the page itself, at this point of this document. */
  clear(tab: Tab, { x, y }: Point): boolean {
    const sight = this.#of(tab).sight;
    return (
      sight?.met === 'nothing' && sight.at.x === x && sight.at.y === y && sight.loaderId === tab.page.document.loaderId
    );
  }

  /** How long a press may wait for a look at this page, milliseconds. */
  patienceMs(tab: Tab): number {
    const { took } = this.#of(tab);
    return took.length > 1 && took.every((ms) => ms > BUSY_MS) ? PATIENCE_MS.busy : PATIENCE_MS.calm;
  }

  /** Runs a look, and remembers what it took; one that came to nothing took too long. */
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

  async #follow(tab: Tab, watched: Watched): Promise<void> {
    watched.looking = true;
    for (let at = watched.next; at; at = watched.next) {
      watched.next = undefined;
      const gap = sleep(this.clock, GAP_MS);
      watched.sight = await this.#look(tab, at);
      await gap;
    }
    watched.looking = false;
  }

  async #look(tab: Tab, at: Point): Promise<PrefetchedPopup | undefined> {
    const { loaderId } = tab.page.document;
    try {
      const met = await withBudget({ timeoutMs: PATIENCE_MS.calm, clock: this.clock }, (budget) =>
        this.timed(tab, () => popupKindAt(budget, tab, at)),
      );
      return { loaderId, at, met };
    } catch {
      // Nothing is known of what is there.
      return undefined;
    }
  }

  #of(tab: Tab): Watched {
    const known = this.#tabs.get(tab);
    if (known) return known;
    const made: Watched = { sight: undefined, took: [], next: undefined, looking: false };
    this.#tabs.set(tab, made);
    return made;
  }
}
