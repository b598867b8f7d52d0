import type { DocumentPlaces } from './places';
import type { DocumentWatch } from './watch';

export interface CheckArgs {
  /** For the elements known at the last reading, in their order: how they looked then, as characters from '0' on. */
  readonly looks?: string | undefined;
  /** Those whose box is not inside their parent's. */
  readonly strays?: readonly number[] | undefined;
}

/** Finds out whether a document is still as it was read. Sent into pages: uses nothing but its own members and what it is given. */
export class DocumentCheck {
  readonly #watch: DocumentWatch;
  readonly #places: DocumentPlaces;
  /** By element: visible 1, pointer 2, inline 4. */
  readonly #looks = new Map<Element, number>();

  constructor(watch: DocumentWatch, places: DocumentPlaces) {
    this.#watch = watch;
    this.#places = places;
  }

  /** What lies in the window, or why all has to be read again. */
  run(args: CheckArgs): { lost: string } | { here: number[] } {
    const watch = this.#watch;
    watch.flush();
    if (args.looks !== undefined) this.#remember(args.looks, args.strays ?? []);
    if (watch.lost === '') watch.lost = this.#difference();
    if (watch.lost !== '') return { lost: watch.lost };
    watch.restyled = false;
    return { here: this.#places.here() };
  }

  #remember(looks: string, strays: readonly number[]): void {
    this.#looks.clear();
    this.#places.strays.clear();
    for (let key = 0; key < looks.length; key += 1) {
      const element = this.#watch.elements.get(key);
      if (element) this.#looks.set(element, looks.charCodeAt(key) - 48);
    }
    for (const key of strays) {
      const element = this.#watch.elements.get(key);
      if (element) this.#places.strays.add(element);
    }
  }

  /** What no mutation tells of; '' when there is none. */
  #difference(): string {
    const watch = this.#watch;
    for (const [field, before] of watch.fields) if (watch.heldBy(field) !== before) return 'a field holds something else';
    if (watch.activeIn(document) !== watch.active || document.hasFocus() !== watch.focused) return 'the focus moved';
    if (watch.sheetsNow() !== watch.sheets) return 'style sheets or modal dialogs changed';
    if (this.#hasNewShadow()) return 'a shadow root was attached';
    const doubtful = watch.restyled || document.getAnimations().length > 0;
    return doubtful && this.#looksDifferent() ? 'something looks different' : '';
  }

  #hasNewShadow(): boolean {
    for (const element of this.#looks.keys()) {
      if (element.shadowRoot === null) continue;
      const shadow = this.#watch.openRoot(element);
      if (shadow && !this.#watch.roots.has(shadow)) return true;
    }
    return false;
  }

  #looksDifferent(): boolean {
    for (const [element, before] of this.#looks) if (this.#lookOf(element) !== before) return true;
    return false;
  }

  /** What has no box is inline and nothing else, as in `DOMSnapshot`, which gives no styles of it. */
  #lookOf(element: Element): number {
    if (!element.checkVisibility()) return 4;
    const style = getComputedStyle(element);
    return (style.visibility === 'visible' ? 1 : 0) + (style.cursor === 'pointer' ? 2 : 0) + (style.display.startsWith('inline') ? 4 : 0);
  }
}
