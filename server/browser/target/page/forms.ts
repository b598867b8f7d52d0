import type { PageBoxes } from './boxes';
import type { PageFacts } from './facts';
import type { PageFrames } from './frames';

export interface OptionView {
  readonly value: string;
  readonly label: string;
  readonly disabled: boolean;
}

/**
 * Changes form controls that keys and clicks cannot set well. Runs inside the page, and dispatches the events that a
 * person's change would cause.
 */
export class PageForms {
  readonly #boxes: PageBoxes;
  readonly #facts: PageFacts;
  readonly #frames: PageFrames;

  constructor(boxes: PageBoxes, facts: PageFacts, frames: PageFrames) {
    this.#boxes = boxes;
    this.#facts = facts;
    this.#frames = frames;
  }

  /**
   * Sets a date, time, colour or range, unless the control would refuse the value's format. Returns what the control
   * holds afterwards.
   */
  setValue(element: Element, value: string): { readonly value: string; readonly refused: boolean } {
    if (!this.#hasValue(element)) return { value: '', refused: true };
    if (value !== '' && !this.#accepts(element, value)) return { value: element.value, refused: true };
    const before = element.value;
    element.value = value;
    if (element.value !== before) this.#changed(element);
    return { value: element.value, refused: false };
  }

  value(element: Element): string {
    return this.#hasValue(element) ? element.value : (element.textContent ?? '');
  }

  /** The element to press to flip a checkbox: itself, or its label when it is hidden or at most 2 px wide or high. */
  pressable(element: Element): Element {
    if (
      this.#boxes.hiddenBecause(element) === undefined &&
      this.#boxes.of(element).some(({ width, height }) => width > 2 && height > 2)
    )
      return element;
    const labels: Element[] =
      'labels' in element && element.labels instanceof NodeList
        ? Array.from(element.labels).filter((node) => node instanceof Element)
        : [];
    return labels.find((label) => this.#boxes.hiddenBecause(label) === undefined) ?? element;
  }

  /** Waits until a box has the expected state; false when the time is over first. */
  async becomes(element: Element, checked: boolean, waitMs: number): Promise<boolean> {
    const end = performance.now() + waitMs;
    while (this.#facts.checked(element) !== checked) {
      if (performance.now() >= end) return false;
      await this.#frames.next();
    }
    return true;
  }

  /** Options of a native select; null for any other element. */
  options(element: Element): { readonly multiple: boolean; readonly options: OptionView[] } | null {
    if (!this.#isSelect(element)) return null;
    const options = Array.from(element.options, (option) => ({
      value: option.value,
      label: this.#plain(option.label),
      disabled: option.disabled || option.closest('optgroup:disabled') !== null,
    }));
    return { multiple: element.multiple, options };
  }

  /** The native select that an option belongs to; null for anything else. */
  listOf(element: Element): Element | null {
    return element.localName === 'option' ? element.closest('select') : null;
  }

  /** The option's index in its list, from 0. */
  indexOf(option: Element): number {
    return 'index' in option ? Number(option.index) : -1;
  }

  /** Selects exactly these options of a native select; returns whether anything changed. */
  choose(element: Element, indexes: readonly number[]): boolean {
    if (!this.#isSelect(element)) return false;
    const before = Array.from(element.options, (option) => option.selected).join();
    for (const option of element.options) option.selected = indexes.includes(option.index);
    const changed = Array.from(element.options, (option) => option.selected).join() !== before;
    if (changed) this.#changed(element);
    return changed;
  }

  /** Sets a value without checking its format: the field held it before. */
  put(element: Element, value: string): void {
    if (!this.#hasValue(element) || element.value === value) return;
    element.value = value;
    this.#changed(element);
  }

  setChecked(element: Element, checked: boolean): void {
    if (!this.#hasValue(element) || element.checked === checked) return;
    element.checked = checked;
    this.#changed(element);
  }

  putContent(element: Element, content: readonly Node[]): void {
    element.replaceChildren(...content);
    this.#changed(element);
  }

  /** The file field that an element is, labels, or contains; null for anything else. */
  fileField(element: Element): Element | null {
    const control = 'control' in element && element.control instanceof Element ? element.control : element;
    if (this.#isFile(control)) return control;
    const inside = Array.from(element.querySelectorAll('input[type="file"]'));
    return inside.length === 1 ? (inside[0] ?? null) : null;
  }

  takesSeveral(element: Element): boolean {
    return this.#isFile(element) && element.multiple;
  }

  #isFile(element: Element): element is HTMLInputElement {
    return element.localName === 'input' && 'type' in element && element.type === 'file';
  }

  #changed(element: Element): void {
    element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    element.dispatchEvent(new Event('change', { bubbles: true }));
  }

  /** Tries the value on a copy: a control that is given a value of the wrong format holds nothing or its default. */
  #accepts(element: HTMLInputElement, value: string): boolean {
    const copy = element.ownerDocument.createElement('input');
    copy.type = element.type;
    if (element.type === 'range') return Number.isFinite(Number(value));
    copy.value = value;
    return element.type === 'color' ? copy.value === value.toLowerCase() : copy.value !== '';
  }

  #plain(text: string): string {
    return text.trim().replace(/\s+/g, ' ');
  }

  #isSelect(element: Element): element is HTMLSelectElement {
    return element.localName === 'select';
  }

  #hasValue(element: Element): element is HTMLInputElement {
    return element.localName === 'input' || element.localName === 'textarea';
  }
}
