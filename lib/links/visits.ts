import type { Clock } from '@/lib/budget/clock';

/** A guest without a connection counts as here for this long after a call. Milliseconds. */
export const VISIT_MS = 60_000;

/** How many connections a guest has, and when they called last. Monotonic milliseconds. */
interface Visit {
  connections: number;
  seenAt: number;
}

/** Who is here by one link, and who has been (AU4). */
export class Visits {
  /** By guest, those who came last at the end. */
  readonly #visits: Map<string, Visit>;

  /** @param known the guests of an earlier run, who are not here */
  constructor(
    private readonly clock: Clock,
    known: readonly string[] = [],
  ) {
    this.#visits = new Map(known.map((guest) => [guest, gone()]));
  }

  /** All who are or were here. */
  get guests(): string[] {
    return [...this.#visits.keys()];
  }

  get connections(): number {
    return [...this.#visits.values()].reduce((sum, { connections }) => sum + connections, 0);
  }

  isHere(guest: string): boolean {
    const visit = this.#visits.get(guest);
    return visit !== undefined && this.#lasts(visit);
  }

  /**
   * Takes a place for a guest who comes, or is here. `full`: the link takes no more than `most`; `came`: the visit is
   * worth a write.
   */
  enter(guest: string, most: number | undefined): 'full' | 'came' | 'here' {
    if (!this.isHere(guest) && most !== undefined && this.#here().length >= most) return 'full';
    const now = this.clock.now();
    const visit = this.#visits.get(guest);
    if (visit && now - visit.seenAt < VISIT_MS / 2) return 'here';
    // A guest who comes back after they had left comes last.
    if (visit && !this.#lasts(visit)) this.#visits.delete(guest);
    this.#visits.set(guest, Object.assign(visit ?? { connections: 0 }, { seenAt: now }));
    return 'came';
  }

  /** Counts a connection of a guest who has entered; the returned function ends it. */
  connect(guest: string): () => void {
    const visit = this.#visits.get(guest);
    if (!visit) return () => undefined;
    visit.connections += 1;
    return () => {
      visit.connections -= 1;
      visit.seenAt = this.clock.now();
    };
  }

  /** Ends the visits above a limit, of those who came last; returns their guests, who may come again. */
  endBeyond(most: number | undefined): string[] {
    const beyond = this.#here().slice(most ?? this.#visits.size);
    for (const guest of beyond) this.#visits.set(guest, gone());
    return beyond;
  }

  forget(guest: string): void {
    this.#visits.delete(guest);
  }

  #here(): string[] {
    return this.guests.filter((guest) => this.isHere(guest));
  }

  #lasts({ connections, seenAt }: Visit): boolean {
    return connections > 0 || this.clock.now() - seenAt < VISIT_MS;
  }
}

/** The visit of a guest who is not here. */
function gone(): Visit {
  return { connections: 0, seenAt: Number.NEGATIVE_INFINITY };
}
