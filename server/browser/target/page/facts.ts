import type { PageBoxes } from './boxes';
import type { PageHidden } from './hidden';

/** What an element is and its state, as far as actions need it. */
export interface ElementFacts {
  readonly tag: string;
  /** Lower-case `type` of inputs and buttons. */
  readonly type: string;
  /** The `role` attribute's first word. */
  readonly role: string;
  /** `text`: typed into; `value`: set as a whole, since its keys depend on the locale; `no`: neither. */
  readonly editable: 'text' | 'value' | 'no';
  readonly multiline: boolean;
  readonly checkable: 'checkbox' | 'radio' | 'switch' | 'no';
  readonly checked: boolean | 'mixed';
  readonly readOnly: boolean;
  /** Why the element is disabled; undefined when it is enabled. */
  readonly disabled?: string | undefined;
  readonly focused: boolean;
  /** Whether it declares a popup list: `aria-haspopup`, `aria-controls` or `aria-owns`. */
  readonly popup: boolean;
  readonly empty: boolean;
}

/** Reads elements; runs inside the page. */
export class PageFacts {
  readonly #boxes: PageBoxes;
  readonly #hidden: PageHidden;
  readonly #untyped: RegExp;
  readonly #whole: RegExp;

  constructor(boxes: PageBoxes, hidden: PageHidden, untyped: string, whole: string) {
    this.#boxes = boxes;
    this.#hidden = hidden;
    this.#untyped = new RegExp(untyped);
    this.#whole = new RegExp(whole);
  }

  of(element: Element): ElementFacts {
    return {
      tag: element.localName,
      type: this.#isInput(element) || this.#isButton(element) ? element.type : '',
      role: this.#role(element),
      editable: this.editable(element),
      multiline: !this.#isInput(element),
      checkable: this.#checkable(element),
      checked: this.checked(element),
      readOnly:
        ('readOnly' in element && element.readOnly === true) || element.getAttribute('aria-readonly') === 'true',
      disabled: this.disabledBecause(element),
      focused: this.focused(element),
      popup: ['aria-haspopup', 'aria-controls', 'aria-owns'].some((name) => element.hasAttribute(name)),
      empty: this.#empty(element),
    };
  }

  editable(element: Element): ElementFacts['editable'] {
    if (this.#isInput(element))
      return this.#whole.test(element.type) ? 'value' : this.#untyped.test(element.type) ? 'no' : 'text';
    if (element.localName === 'textarea' || ('isContentEditable' in element && element.isContentEditable === true))
      return 'text';
    return 'no';
  }

  checked(given: Element): boolean | 'mixed' {
    const element = this.#meant(given);
    if (this.#isInput(element)) return element.indeterminate ? 'mixed' : element.checked;
    const said =
      element.getAttribute('aria-checked') ??
      element.getAttribute('aria-pressed') ??
      element.getAttribute('aria-selected');
    return said === 'mixed' ? 'mixed' : said === 'true';
  }

  focused(element: Element): boolean {
    const root = element.getRootNode();
    const active = 'activeElement' in root && root.activeElement instanceof Element ? root.activeElement : null;
    return active !== null && element.contains(active) && element.ownerDocument.hasFocus();
  }

  disabledBecause(element: Element): string | undefined {
    if (element.matches(':disabled'))
      return element.closest('fieldset:disabled') && !element.hasAttribute('disabled')
        ? 'its fieldset is disabled'
        : 'it is disabled';
    if (this.#isLabel(element) && element.control?.matches(':disabled')) return 'its control is disabled';
    if (element.closest('button:disabled')) return 'the button around it is disabled';
    for (let at: Element | null = element; at; at = this.#boxes.parentOf(at)) {
      if (at.getAttribute('aria-disabled') === 'true')
        return at === element ? 'it has aria-disabled' : 'a part of the page around it has aria-disabled';
      if (at.hasAttribute('inert')) return 'a part of the page around it is inert';
    }
    return undefined;
  }

  /** The element's text; '' when a part of it is hidden (CO8). */
  words(element: Element): string {
    return this.#hidden.covers(element) || this.#hidden.within(element) ? '' : (element.textContent ?? '');
  }

  /** A short description for people: `div#menu.open "Buy now"`. */
  describe(element: Element): string {
    const id = element.id === '' ? '' : `#${element.id}`;
    const classes = Array.from(element.classList)
      .slice(0, 2)
      .map((name) => `.${name}`)
      .join('');
    const text = (element.getAttribute('aria-label') ?? this.words(element)).trim().replace(/\s+/g, ' ').slice(0, 40);
    return `${element.localName}${id}${classes}`.slice(0, 120) + (text === '' ? '' : ` "${text}"`);
  }

  #checkable(given: Element): ElementFacts['checkable'] {
    const element = this.#meant(given);
    if (this.#isInput(element)) return element.type === 'checkbox' || element.type === 'radio' ? element.type : 'no';
    const role = this.#role(element);
    if (role === 'switch') return 'switch';
    if (role === 'radio' || role === 'menuitemradio') return 'radio';
    return role === 'checkbox' || role === 'menuitemcheckbox' || element.hasAttribute('aria-checked')
      ? 'checkbox'
      : 'no';
  }

  #empty(element: Element): boolean {
    if ('value' in element && typeof element.value === 'string') return element.value === '';
    return (element.textContent ?? '') === '';
  }

  #role(element: Element): string {
    return element.getAttribute('role')?.trim().split(/\s+/)[0] ?? '';
  }

  /** A label stands for its control: a snapshot shows the label in place of a control that is not rendered. */
  #meant(element: Element): Element {
    return (this.#isLabel(element) ? element.control : null) ?? element;
  }

  #isInput(element: Element): element is HTMLInputElement {
    return element.localName === 'input';
  }

  #isLabel(element: Element): element is HTMLLabelElement {
    return element.localName === 'label';
  }

  #isButton(element: Element): element is HTMLButtonElement {
    return element.localName === 'button';
  }
}

/** Patterns of input types that take no typing, and of those that are set as a whole; arguments for `PageFacts`. */
export const INPUT_TYPES = {
  untyped: '^(checkbox|radio|button|submit|reset|image|file|hidden)$',
  whole: '^(date|time|datetime-local|month|week|color|range)$',
} as const;
