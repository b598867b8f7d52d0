import type { PageBoxes } from './boxes';
import type { PageFacts } from './facts';
import type { PageSearch } from './search';
import type { PageTextSearch } from './text-search';

export type ElementState = 'attached' | 'detached' | 'visible' | 'hidden' | 'enabled' | 'disabled';

/** `gone`: the element left the page while another condition was awaited. */
export type WaitResult = 'holds' | 'over' | 'gone';

/**
 * Waits for conditions, which are evaluated after every change of the document and at least every 100 ms. Stops by
 * itself when the time is over, since the server cannot stop it. Runs inside the page; all times in milliseconds.
 */
export class PageWaits {
  readonly #boxes: PageBoxes;
  readonly #facts: PageFacts;
  readonly #search: PageSearch;
  readonly #words: PageTextSearch;

  constructor(boxes: PageBoxes, facts: PageFacts, search: PageSearch, words: PageTextSearch) {
    this.#boxes = boxes;
    this.#facts = facts;
    this.#search = search;
    this.#words = words;
  }

  element(element: Element, state: ElementState, waitMs: number): Promise<WaitResult> {
    const needed = state !== 'detached' && state !== 'hidden';
    return this.#until(
      () => (needed && !element.isConnected ? 'gone' : this.#is(element, state) ? 'holds' : undefined),
      waitMs,
    );
  }

  /** Waits on the first element that matches, through open shadow roots, including one that is added later. */
  selector(selector: string, state: ElementState, waitMs: number): Promise<WaitResult> {
    return this.#until(() => (this.#is(this.#search.first(selector), state) ? 'holds' : undefined), waitMs);
  }

  text(text: string, gone: boolean, waitMs: number): Promise<WaitResult> {
    return this.#until(() => (this.#words.says(text) === gone ? undefined : 'holds'), waitMs);
  }

  /** Waits until nothing in the document has changed for `quietMs`. */
  still(quietMs: number, waitMs: number): Promise<WaitResult> {
    let changedAt = performance.now();
    return this.#until(
      (changed) => {
        if (changed) changedAt = performance.now();
        return performance.now() - changedAt >= quietMs ? 'holds' : undefined;
      },
      waitMs,
      Math.min(100, quietMs),
    );
  }

  #is(element: Element | undefined, state: ElementState): boolean {
    switch (state) {
      case 'attached':
        return element?.isConnected === true;
      case 'detached':
        return element?.isConnected !== true;
      case 'visible':
        return element !== undefined && this.#seen(element);
      case 'hidden':
        return element === undefined || !this.#seen(element);
      case 'enabled':
        return element !== undefined && this.#facts.disabledBecause(element) === undefined;
      case 'disabled':
        return element !== undefined && this.#facts.disabledBecause(element) !== undefined;
    }
  }

  #seen(element: Element): boolean {
    return element.isConnected && this.#boxes.isVisible(element) && this.#boxes.of(element).length > 0;
  }

  /** `look` is told whether the document changed or only time passed. */
  #until(look: (changed: boolean) => WaitResult | undefined, waitMs: number, everyMs = 100): Promise<WaitResult> {
    return new Promise((resolve, reject) => {
      const end = (waited: WaitResult): void => {
        observer.disconnect();
        clearInterval(timer);
        clearTimeout(deadline);
        resolve(waited);
      };
      const see = (changed: boolean): void => {
        try {
          const waited = look(changed);
          if (waited) end(waited);
        } catch (error) {
          reject(error);
          end('over');
        }
      };
      const observer = new MutationObserver(() => see(true));
      const timer = setInterval(() => see(false), everyMs);
      const deadline = setTimeout(() => end('over'), waitMs);
      observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      see(false);
    });
  }
}
