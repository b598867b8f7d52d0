import { BoundedMap } from '@/lib/async/bounded-map';
import type { Clock } from '@/lib/budget/clock';
import { RESULT_LIFE_MS } from '@/server/store/journal';

/**
 * Limit of participants with pending attachments in a session; beyond it, those of the participant sent to longest ago
 * count as delivered.
 */
const MOST_KEPT = 100;

interface PendingDelivery<T> {
  readonly what: T;
  readonly until: number;
}

/**
 * The reply attachments of actions that carry an id. A connection may lose a reply, and its action is then sent again;
 * an attachment counts as delivered only when its receiver sends another action (F7).
 */
export class Unacknowledged<T> {
  /** Pending attachments by participant and action id. */
  readonly #pending = new BoundedMap<string, Map<string, PendingDelivery<T>>>(MOST_KEPT, (participant, theirs) => {
    for (const { what } of theirs.values()) this.arrived(participant, what);
  });

  constructor(
    private readonly clock: Clock,
    /** Called with an attachment that counts as delivered. */
    private readonly arrived: (participant: string, what: T) => void,
  ) {}

  with(participant: string, action: string | undefined): T | undefined {
    return action === undefined ? undefined : this.#pending.get(participant)?.get(action)?.what;
  }

  all(participant: string): T[] {
    return [...(this.#pending.get(participant)?.values() ?? [])].map(({ what }) => what);
  }

  keep(participant: string, action: string, what: T): void {
    const theirs = this.#pending.get(participant) ?? new Map<string, PendingDelivery<T>>();
    theirs.set(action, { what, until: this.clock.now() + RESULT_LIFE_MS });
    this.#pending.set(participant, theirs);
  }

  /**
   * The participant sent this action: all attachments count as delivered except those of the same action within
   * `RESULT_LIFE_MS`. Without an action: all.
   */
  heard(participant: string, action?: string): void {
    const theirs = this.#pending.get(participant);
    if (!theirs) return;
    const over = [...theirs].filter(([sent, { until }]) => sent !== action || this.clock.now() >= until);
    for (const [sent] of over) theirs.delete(sent);
    if (theirs.size === 0) this.#pending.delete(participant);
    for (const [, { what }] of over) this.arrived(participant, what);
  }

  get participants(): string[] {
    return [...this.#pending.keys()];
  }

  clear(): void {
    this.#pending.clear();
  }
}
