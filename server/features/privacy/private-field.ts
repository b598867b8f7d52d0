import { withBudget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { focusedField } from '@/server/browser/target/focused-field';
import type { SessionTab } from '@/server/session/session-tab';

/** Deadline for reading the focus. Milliseconds. */
const FOCUS_READ_MS = 2_000;

/** Watches the field that a person types into privately, and reports once when the focus leaves it (CO8). */
export class PrivateField {
  #field: string | undefined;
  #looking = false;
  #again = false;
  #over = false;

  /** @param left called when the focus leaves the field or the page is replaced */
  constructor(
    private readonly clock: Clock,
    private readonly left: () => void,
  ) {}

  /** Reads the focus, which may have moved. */
  look(sessionTab: SessionTab): void {
    this.#again = true;
    if (!this.#looking && !this.#over) void this.#lookAll(sessionTab);
  }

  /** The page was replaced, and the field with it: ends the watch. */
  navigated(): void {
    if (this.#field !== undefined) this.#end();
  }

  dispose(): void {
    this.#over = true;
  }

  async #lookAll(sessionTab: SessionTab): Promise<void> {
    this.#looking = true;
    while (this.#again && !this.#over) {
      this.#again = false;
      await this.#lookOnce(sessionTab);
    }
    this.#looking = false;
  }

  /** Reads the focus once. The tab stays private when the page does not answer or is changing. */
  async #lookOnce({ tab }: SessionTab): Promise<void> {
    try {
      const found = await withBudget({ timeoutMs: FOCUS_READ_MS, clock: this.clock }, (budget) =>
        focusedField(budget, tab.worlds, tab.page.document.frameId),
      );
      if (this.#over || found?.id === this.#field) return;
      if (found && (this.#field === undefined || found.goesOn)) this.#field = found.id;
      else this.#end();
    } catch {
      return;
    }
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.left();
  }
}
