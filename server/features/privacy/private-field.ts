import { withBudget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { focusedField } from '@/server/browser/target/focused-field';
import type { SessionTab } from '@/server/session/session-tab';

/** A look at where the focus is may take this long, milliseconds. */
const LOOK_MS = 2_000;

/** Watches the field that a person types into privately, and says once when it was left (CO8). */
export class PrivateField {
  #field: string | undefined;
  #looking = false;
  #again = false;
  #over = false;

  /** @param left the focus went elsewhere, or the page did */
  constructor(
    private readonly clock: Clock,
    private readonly left: () => void,
  ) {}

  /** The focus may have moved. */
  look(sessionTab: SessionTab): void {
    this.#again = true;
    if (!this.#looking && !this.#over) void this.#lookAll(sessionTab);
  }

  /** Another page is shown: what was typed is gone with the field. */
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

  /** A page that does not answer, or is just changing, says nothing of its focus: it stays private. */
  async #lookOnce({ tab }: SessionTab): Promise<void> {
    try {
      const found = await withBudget({ timeoutMs: LOOK_MS, clock: this.clock }, (budget) =>
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
