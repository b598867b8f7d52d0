import type { PageBoxes } from './boxes';
import type { OptionView } from './forms';
import type { PageFrames } from './frames';

export interface ListView {
  readonly options: OptionView[];
  readonly selected: boolean[];
  readonly multiple: boolean;
  /** Changes when the list changes; `read` waits until it does. */
  readonly mark: string;
}

/** Reads ARIA listboxes and the popups of comboboxes; runs inside the page. */
export class PageLists {
  readonly #boxes: PageBoxes;
  readonly #frames: PageFrames;
  #shown: Element[] = [];

  constructor(boxes: PageBoxes, frames: PageFrames) {
    this.#boxes = boxes;
    this.#frames = frames;
  }

  /**
   * The options that are shown for a listbox or combobox, once they differ from `unlike` and have stayed the same for
   * six frames, or the time is over. Milliseconds.
   */
  async read(element: Element, unlike: string, waitMs: number): Promise<ListView> {
    const end = performance.now() + waitMs;
    let before = '';
    let still = 0;
    for (;;) {
      const view = this.#view(element);
      still = view.mark === before ? still + 1 : 0;
      before = view.mark;
      // Six frames, about 100 ms: a list that filters while one types is rendered again at each letter.
      if ((view.mark !== unlike && still >= 6) || performance.now() >= end) return view;
      await this.#frames.next();
    }
  }

  /** One of the options that `read` found last. */
  optionAt(_: Element, index: number): Element | null {
    return this.#shown[index] ?? null;
  }

  isOpen(element: Element): boolean {
    return element.getAttribute('role') === 'listbox' || element.getAttribute('aria-expanded') === 'true';
  }

  #view(element: Element): ListView {
    const list = this.#listOf(element);
    this.#shown = list ? this.#optionsOf(list) : [];
    const options = this.#shown.map((option) => this.#option(option));
    const selected = this.#shown.map(
      (option) => option.getAttribute('aria-selected') === 'true' || option.getAttribute('aria-checked') === 'true',
    );
    return {
      options,
      selected,
      multiple: list?.getAttribute('aria-multiselectable') === 'true',
      mark: options.map(({ label }) => label).join('\n'),
    };
  }

  /** The element itself, the popup that it references, a list that it contains, or the one list that is open. */
  #listOf(element: Element): Element | undefined {
    if (element.matches('[role="listbox"], [role="menu"], [role="radiogroup"], [role="tree"]')) return element;
    const owner = element.matches('[aria-controls], [aria-owns]')
      ? element
      : element.querySelector('[aria-controls], [aria-owns]');
    const ids = `${owner?.getAttribute('aria-controls') ?? ''} ${owner?.getAttribute('aria-owns') ?? ''}`
      .trim()
      .split(/\s+/);
    const root = element.getRootNode();
    const named = ids.map((id) =>
      id !== '' && 'getElementById' in root ? (document.getElementById(id) ?? this.#inRoot(root, id)) : null,
    );
    const inside = Array.from(element.querySelectorAll('[role="listbox"]'));
    const anywhere = Array.from(document.querySelectorAll('[role="listbox"]'));
    return [...named, ...inside, ...anywhere].find(
      (list): list is Element => list instanceof Element && this.#boxes.isVisible(list),
    );
  }

  #inRoot(root: Node, id: string): Element | null {
    return this.#boxes.isShadowRoot(root) ? root.getElementById(id) : null;
  }

  #optionsOf(list: Element): Element[] {
    const marked = Array.from(
      list.querySelectorAll(
        '[role="option"], [role="treeitem"], [role="menuitemradio"], [role="menuitemcheckbox"], [role="radio"]',
      ),
    );
    return marked.filter((option) => this.#boxes.isVisible(option));
  }

  #option(option: Element): OptionView {
    const label = (option.getAttribute('aria-label') ?? option.textContent ?? '').trim().replace(/\s+/g, ' ');
    const value = option.getAttribute('data-value') ?? option.getAttribute('value') ?? option.id;
    return { value, label, disabled: option.getAttribute('aria-disabled') === 'true' };
  }
}
