import type { Caller } from './caller';
import type { Participants } from './participants';
import type { TabBook } from './tab-book';
import type { TabSeat } from './tab-seat';

export interface ActiveTabDeps {
  readonly book: TabBook;
  readonly participants: Participants;
  changed(): void;
}

/** The tab that a session shows first, and what `active` means for each participant (SE2). */
export class ActiveTab {
  #tab: string | undefined;

  constructor(private readonly deps: ActiveTabDeps) {}

  get id(): string | undefined {
    return this.#tab;
  }

  /** `active` is what this participant last used, else what was last acted on. Throws TAB_NOT_FOUND, TAB_AMBIGUOUS. */
  find({ principal: { id } }: Caller, name: string): TabSeat {
    const { book, participants } = this.deps;
    const seat = name === 'active' ? this.seat(participants.usedTab(id)) : book.find(name);
    participants.use(id, seat.tab.id);
    return seat;
  }

  seat(preferred?: string): TabSeat {
    return this.deps.book.firstOf(preferred, this.#tab);
  }

  /** It was acted on. */
  activate(tab: string): void {
    if (this.#tab === tab || !this.deps.book.get(tab)) return;
    this.#tab = tab;
    this.deps.changed();
  }

  /** A new tab: the first is shown, and a popup of the one that is. */
  seated({ tab: { id, opener } }: TabSeat): void {
    this.#tab ??= id;
    if (opener !== undefined && opener === this.#tab) this.activate(id);
  }

  gone(tab: string): void {
    if (this.#tab === tab) this.#tab = this.deps.book.all().at(-1)?.tab.id;
  }
}
