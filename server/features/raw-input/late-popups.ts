import type { Budget } from '@/lib/budget/budget';
import type { InputEvent } from '@/lib/protocol/input';
import type { PopupView } from '@/lib/protocol/popup';
import { popupOpen } from '@/server/browser/input/native-popup';
import type { Tab } from '@/server/browser/tab';

/** Deadline for the check after a press. Milliseconds. */
const POPUP_CHECK_MS = 3_000;

/**
 * Handles presses and keys of a person that were sent without a check, because the page was too busy (DI3). Checks
 * after the next events whether Chrome shows a popup outside the page, closes it, and returns it for the cockpit to
 * draw.
 */
export class LatePopups {
  /** By tab with such a press: the last check, so that checks run one after another. */
  readonly #asked = new Map<string, Promise<PopupView | undefined>>();

  /** A press or key is sent to this tab without a check. */
  missed(tab: string): void {
    if (!this.#asked.has(tab)) this.#asked.set(tab, Promise.resolve(undefined));
  }

  /**
   * Checks for a popup after the page handled an event. `close` closes the popup; an error of it is ignored, because
   * the next holder is not checked for.
   */
  after(budget: Budget, tab: Tab, event: InputEvent, close: () => Promise<void>): Promise<PopupView | undefined> {
    const before = this.#asked.get(tab.id);
    if (!before || !tells(event)) return Promise.resolve(undefined);
    const asked = before.then(() => (this.#asked.has(tab.id) ? this.#ask(budget, tab, event, close) : undefined));
    this.#asked.set(tab.id, asked);
    return asked;
  }

  async #ask(budget: Budget, tab: Tab, event: InputEvent, close: () => Promise<void>): Promise<PopupView | undefined> {
    // A page behind a dialog does not answer, and opens nothing.
    if (tab.dialogs.current) return undefined;
    const patience = budget.child(POPUP_CHECK_MS);
    try {
      const popup = await popupOpen(patience, tab);
      // A menu opens on the press or key, some pickers only on its release.
      if (popup || (event.type !== 'down' && event.type !== 'keydown')) this.#asked.delete(tab.id);
      if (popup) await close();
      return popup;
    } catch {
      // The page is still busy; the next event checks again.
      return undefined;
    } finally {
      patience.dispose();
    }
  }
}

/**
 * True for events after which a popup may be open; includes moves without buttons, in case the press itself was never
 * answered.
 */
function tells(event: InputEvent): boolean {
  return (
    event.type === 'down' ||
    event.type === 'up' ||
    event.type === 'keydown' ||
    event.type === 'keyup' ||
    (event.type === 'move' && event.buttons === 0)
  );
}
