import type { Budget } from '@/lib/budget/budget';
import type { InputEvent } from '@/lib/protocol/input';
import type { PopupView } from '@/lib/protocol/popup';
import { popupOpen } from '@/server/browser/input/native-popup';
import type { Tab } from '@/server/browser/tab';

/** A page that took the press is asked so long what Chrome has opened. Milliseconds. */
const LOOK_MS = 3_000;

/**
 * Presses and keys of a person that went to a page too busy to say beforehand what they open outside of the page (DI3).
 * As soon as the page has taken them it is asked whether Chrome shows such a thing; that is closed, and given to the
 * cockpit to draw.
 */
export class LatePopups {
  /** By tab with such a press: the last question, so that they are asked one after the other. */
  readonly #asked = new Map<string, Promise<PopupView | undefined>>();

  /** A press or key goes to this tab unseen. */
  missed(tab: string): void {
    if (!this.#asked.has(tab)) this.#asked.set(tab, Promise.resolve(undefined));
  }

  /**
   * An event has been taken by the page. `close` closes what Chrome shows; what it throws is no reason to fail, for
   * whoever drives next is not asked.
   */
  after(budget: Budget, tab: Tab, event: InputEvent, close: () => Promise<void>): Promise<PopupView | undefined> {
    const before = this.#asked.get(tab.id);
    if (!before || !tells(event)) return Promise.resolve(undefined);
    const asked = before.then(() => (this.#asked.has(tab.id) ? this.#ask(budget, tab, event, close) : undefined));
    this.#asked.set(tab.id, asked);
    return asked;
  }

  async #ask(budget: Budget, tab: Tab, event: InputEvent, close: () => Promise<void>): Promise<PopupView | undefined> {
    // What a dialog holds up says nothing, and opens nothing.
    if (tab.dialogs.current) return undefined;
    const patience = budget.child(LOOK_MS);
    try {
      const popup = await popupOpen(patience, tab);
      // A menu opens when it is pressed, a picker when it is let go.
      if (popup || event.type !== 'down') this.#asked.delete(tab.id);
      if (popup) await close();
      return popup;
    } catch {
      // Busy still: the next event asks again.
      return undefined;
    } finally {
      patience.dispose();
    }
  }
}

/** Whether something may have been opened when this event is through; also by a press whose own answer never came. */
function tells(event: InputEvent): boolean {
  return (
    event.type === 'down' ||
    event.type === 'up' ||
    event.type === 'keydown' ||
    event.type === 'keyup' ||
    (event.type === 'move' && event.buttons === 0)
  );
}
