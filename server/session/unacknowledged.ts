import { BoundedMap } from '@/lib/async/bounded-map';
import type { Clock } from '@/lib/budget/clock';
import { RESULT_LIFE_MS } from '@/server/store/journal';

/**
 * Participants of one session for whom something is kept; what went to the one that was told longest ago is taken for
 * arrived.
 */
const MOST_KEPT = 100;

interface PendingDelivery<T> {
  readonly what: T;
  readonly until: number;
}

/**
 * What went with the replies to actions that carry an id. A reply may be lost with its connection, and its action is
 * then sent again; that it arrived is certain only when its sender sends something else (F7).
 */
export class Unacknowledged<T> {
  /** By participant and action. */
  readonly #kept = new BoundedMap<string, Map<string, PendingDelivery<T>>>(MOST_KEPT, (participant, theirs) => {
    for (const { what } of theirs.values()) this.arrived(participant, what);
  });

  constructor(
    private readonly clock: Clock,
    /** What is kept no longer. */
    private readonly arrived: (participant: string, what: T) => void,
  ) {}

  with(participant: string, action: string | undefined): T | undefined {
    return action === undefined ? undefined : this.#kept.get(participant)?.get(action)?.what;
  }

  all(participant: string): T[] {
    return [...(this.#kept.get(participant)?.values() ?? [])].map(({ what }) => what);
  }

  keep(participant: string, action: string, what: T): void {
    const theirs = this.#kept.get(participant) ?? new Map<string, PendingDelivery<T>>();
    theirs.set(action, { what, until: this.clock.now() + RESULT_LIFE_MS });
    this.#kept.set(participant, theirs);
  }

  /**
   * The participant sends this action: all has arrived but what went with it before, as long as its id counts. Without
   * one: all.
   */
  heard(participant: string, action?: string): void {
    const theirs = this.#kept.get(participant);
    if (!theirs) return;
    const over = [...theirs].filter(([sent, { until }]) => sent !== action || this.clock.now() >= until);
    for (const [sent] of over) theirs.delete(sent);
    if (theirs.size === 0) this.#kept.delete(participant);
    for (const [, { what }] of over) this.arrived(participant, what);
  }

  get participants(): string[] {
    return [...this.#kept.keys()];
  }

  clear(): void {
    this.#kept.clear();
  }
}
