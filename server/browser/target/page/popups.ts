import type { PageReach } from './reach';
import type { Rect } from './rect';

export interface PopupOption {
  readonly index: number;
  readonly label: string;
  readonly group: string;
  readonly disabled: boolean;
}

export interface PopupSeen {
  readonly sort: string;
  readonly box: Rect;
  readonly label: string;
  readonly options: readonly PopupOption[];
  readonly selected: number;
  readonly more: number;
  readonly value: string;
  readonly min: string;
  readonly max: string;
  readonly step: string;
}

/** What a press or key meets, as an answer to callers outside of the page. */
export type PopupKind = 'control' | 'frame' | 'nothing';

/** Finds controls whose press opens something that Chrome draws outside of the page (DI3). */
export class PagePopups {
  readonly #reach: PageReach;

  constructor(reach: PageReach) {
    this.#reach = reach;
  }

  /**
   * Tells in one call what a press at a point of the viewport meets: such a control, a frame that may have one there,
   * or neither.
   */
  metAt(x: number, y: number): PopupKind {
    return this.controlAt(x, y) ? 'control' : this.#met(this.#reach.deepest(document, { x, y }));
  }

  /** Tells the same for a key, for the focused element. */
  metByKey(): PopupKind {
    return this.focused() ? 'control' : this.#met(this.#focus());
  }

  /**
   * The focused control while its popup is open; null for none, and where Chrome has no `:open` (before Chrome 133).
   */
  opened(): Element | null {
    const focus = this.focused();
    try {
      return focus?.matches(':open') === true ? focus : null;
    } catch {
      return null;
    }
  }

  /** The control at a point of the viewport whose press there would open a popup; null for any other element. */
  controlAt(x: number, y: number): Element | null {
    const hit = this.#reach.deepest(document, { x, y });
    if (hit instanceof HTMLOptionElement || !hit || !this.#opens(hit, x)) return null;
    return hit;
  }

  /** The focused control of the document, when a key opens a popup from it; null for any other element. */
  focused(): Element | null {
    const focus = this.#focus();
    return focus && this.#opensAnywhere(focus) ? focus : null;
  }

  /** @param most most options that are returned */
  read(element: Element, most: number): PopupSeen | null {
    const { x, y, width, height } = element.getBoundingClientRect();
    const base = {
      box: { x, y, width, height },
      label: this.#label(element),
      options: [],
      selected: -1,
      more: 0,
      value: '',
      min: '',
      max: '',
      step: '',
    };
    if (element instanceof HTMLSelectElement) return { ...base, sort: 'select', ...this.#options(element, most) };
    if (!(element instanceof HTMLInputElement)) return null;
    const { type: sort, value, min, max, step } = element;
    return { ...base, sort, value, min, max, step };
  }

  #focus(): Element | null {
    let focus = document.activeElement;
    while (focus?.shadowRoot?.activeElement) focus = focus.shadowRoot.activeElement;
    return focus;
  }

  #met(element: Element | null | undefined): PopupKind {
    return element && /^i?frame$/.test(element.localName) ? 'frame' : 'nothing';
  }

  #opens(element: Element, x: number): boolean {
    return (
      this.#opensAnywhere(element) &&
      (!(element instanceof HTMLInputElement) || element.type === 'color' || this.#onIcon(element, x))
    );
  }

  #opensAnywhere(element: Element): boolean {
    if (element instanceof HTMLSelectElement)
      return (
        !element.matches(':disabled') &&
        !element.multiple &&
        element.size <= 1 &&
        getComputedStyle(element).appearance !== 'base-select'
      );
    return (
      element instanceof HTMLInputElement &&
      !element.matches(':disabled') &&
      !element.readOnly &&
      ['color', 'date', 'time', 'datetime-local', 'month', 'week'].includes(element.type)
    );
  }

  /** The icon at the end of the field opens the picker; a press beside it places the caret. */
  #onIcon(element: Element, x: number): boolean {
    const { left, right } = element.getBoundingClientRect();
    return getComputedStyle(element).direction === 'rtl' ? x <= left + 36 : x >= right - 36;
  }

  #options(select: HTMLSelectElement, most: number): Pick<PopupSeen, 'options' | 'selected' | 'more'> {
    const shown = Array.from(select.options).filter(
      (option) => !option.hidden && getComputedStyle(option).display !== 'none',
    );
    const options = shown.slice(0, most).map((option) => {
      const group = option.closest('optgroup');
      return {
        index: option.index,
        label: option.label.trim(),
        group: group?.label.trim() ?? '',
        disabled: option.disabled || group?.disabled === true,
      };
    });
    return { options, selected: select.selectedIndex, more: shown.length - options.length };
  }

  #label(element: HTMLElement | Element): string {
    const labels: Element[] =
      'labels' in element && element.labels instanceof NodeList
        ? Array.from(element.labels).filter((node) => node instanceof Element)
        : [];
    return (element.getAttribute('aria-label') ?? labels.map((label) => label.textContent ?? '').join(' '))
      .trim()
      .replace(/\s+/g, ' ');
  }
}
