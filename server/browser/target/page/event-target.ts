import type { PageFacts } from './facts';
import type { PageFocus } from './focus';
import type { PagePasswords } from './passwords';

/** Facts about an element that can be read at once, without asking accessibility. */
export interface EventTargetFacts {
  /** Numbers the elements of this document in the order they were asked about. */
  readonly mark: number;
  readonly tag: string;
  /** The label that the author gave it, used where nothing better is known. */
  readonly label: string;
  /** A selector that matches this element alone; '' where none was found. */
  readonly selector: string;
  /** Whether it holds, or has held, a password, a one-time code or a card number. */
  readonly secret: boolean;
  readonly editable: boolean;
  readonly empty: boolean;
  /** Whether it is the page itself: nothing in the page has the focus. */
  readonly page: boolean;
  /** Whether no other element of its kind has the same label, as far as the author's attributes and texts tell. */
  readonly alone: boolean;
  /** Whether it is in a frame of the document that was asked. */
  readonly framed: boolean;
}

const MOST = { selector: 300, label: 80, steps: 6, twins: 500 } as const;

/**
 * Describes the element that a person used, for recording raw input (CO11); runs inside the page and changes nothing.
 */
export class PageEventTarget {
  readonly #facts: PageFacts;
  readonly #focus: PageFocus;
  readonly #passwords: PagePasswords;
  readonly #secretToken: RegExp;
  readonly #secretName: RegExp;
  readonly #most: typeof MOST;
  readonly #marks = new WeakMap<Element, number>();
  /** Elements seen as secret once: a "show password" switch changes the type, not the secret. */
  readonly #secrets = new WeakSet<Element>();
  /** The element for which others with the same label were looked for last, with the result. */
  #last: { readonly element: WeakRef<Element>; readonly alone: boolean } | undefined;
  #next = 1;

  constructor(
    facts: PageFacts,
    focus: PageFocus,
    passwords: PagePasswords,
    secretToken: string,
    secretName: string,
    most: typeof MOST,
  ) {
    this.#facts = facts;
    this.#focus = focus;
    this.#passwords = passwords;
    this.#secretToken = new RegExp(secretToken);
    this.#secretName = new RegExp(secretName, 'i');
    this.#most = most;
  }

  /**
   * Asked at every key. Uses the last result again for the same element; for an element that was never asked about,
   * reports `alone: false` without looking. Null without a root element.
   */
  focused(): EventTargetFacts | null {
    const element = this.#focus.element();
    if (!element) return null;
    if (this.#last?.element.deref() === element) return this.#tell(element, this.#last.alone);
    return this.#tell(element, this.#marks.has(element) && this.#isAlone(element));
  }

  of(element: Element): EventTargetFacts {
    return this.#tell(element, this.#isAlone(element));
  }

  isRemoved(element: Element): boolean {
    return !element.isConnected;
  }

  /**
   * The frame element that contains the element's document; null for an element of the outermost document in this
   * process.
   */
  frameOf(element: Element): Element | null {
    return element.ownerDocument.defaultView?.frameElement ?? null;
  }

  #tell(element: Element, alone: boolean): EventTargetFacts {
    const { editable, empty } = this.#facts.of(element);
    return {
      mark: this.#mark(element),
      tag: element.localName,
      label: this.#label(element),
      selector: element.ownerDocument === document ? this.#selector(element) : '',
      secret: this.isSecret(element),
      editable: editable !== 'no',
      empty,
      page: element.localName === 'body' || element.localName === 'html',
      alone,
      framed: element.ownerDocument !== document,
    };
  }

  #mark(element: Element): number {
    const known = this.#marks.get(element);
    if (known !== undefined) return known;
    const mark = this.#next;
    this.#next += 1;
    this.#marks.set(element, mark);
    return mark;
  }

  /** By its attributes and how it is drawn, or because it was once. */
  isSecret(element: Element): boolean {
    const words = (name: string): string =>
      (element.getAttribute(name) ?? '').slice(0, 200).replace(/([a-z])([A-Z])/g, '$1-$2');
    const tokens = (element.getAttribute('autocomplete') ?? '').toLowerCase().split(/\s+/);
    const attributes =
      element.getAttribute('type')?.trim().toLowerCase() === 'password' ||
      tokens.some((token) => this.#secretToken.test(token)) ||
      this.#secretName.test(words('name')) ||
      this.#secretName.test(words('id'));
    // Text that CSS draws as dots is secret, whatever the field is called.
    const secret =
      attributes || !['none', ''].includes(getComputedStyle(element).getPropertyValue('-webkit-text-security'));
    if (secret) this.#secrets.add(element);
    return secret || this.#secrets.has(element) || this.#passwords.was(element);
  }

  #label(element: Element): string {
    const plain = this.#facts.editable(element) === 'no' ? this.#facts.words(element).slice(0, 1_000) : '';
    return this.#short(element.getAttribute('aria-label') ?? plain);
  }

  /** Compares with up to `most.twins` elements of the same tag. */
  #isAlone(element: Element): boolean {
    const said = this.#said(element);
    const kin =
      said === ''
        ? []
        : Array.from(element.ownerDocument.getElementsByTagName(element.localName)).slice(0, this.#most.twins);
    const alone = !kin.some(
      (other) =>
        other !== element && other.getAttribute('role') === element.getAttribute('role') && this.#said(other) === said,
    );
    this.#last = { element: new WeakRef(element), alone };
    return alone;
  }

  /** The first non-empty label from the author's attributes and texts. */
  #said(element: Element): string {
    for (const way of this.#selectors(element)) if (way !== null && way.trim() !== '') return this.#short(way);
    return '';
  }

  /** Possible labels of the element, the strongest first. A generator, so that later ones are read only when needed. */
  *#selectors(element: Element): Generator<string | null> {
    yield element.getAttribute('aria-label');
    if ('labels' in element && element.labels instanceof NodeList)
      yield Array.from(element.labels, (label) => (label instanceof Element ? this.#facts.words(label) : '')).join(' ');
    if (element.localName !== 'select') yield this.#label(element);
    yield element.getAttribute('placeholder');
    yield element.getAttribute('title');
  }

  #short(text: string): string {
    return text.trim().replace(/\s+/g, ' ').slice(0, this.#most.label);
  }

  /** A selector by id, else by name, else step by step from the nearest ancestor with an id. */
  #selector(element: Element): string {
    const steps: string[] = [];
    for (let at: Element | null = element; at && steps.length < this.#most.steps; at = at.parentElement) {
      const own = this.#own(at);
      const found = [own, ...steps].join(' > ');
      if (this.#fitsAlone(found, element)) return found.length > this.#most.selector ? '' : found;
      steps.unshift(`${CSS.escape(at.localName)}:nth-of-type(${this.#place(at)})`);
    }
    return '';
  }

  #own(element: Element): string {
    if (element.id !== '') return `#${CSS.escape(element.id)}`;
    const name = element.getAttribute('name');
    return name === null || name === ''
      ? `${CSS.escape(element.localName)}:nth-of-type(${this.#place(element)})`
      : `${CSS.escape(element.localName)}[name="${CSS.escape(name)}"]`;
  }

  #place(element: Element): number {
    let place = 1;
    for (let before = element.previousElementSibling; before; before = before.previousElementSibling)
      if (before.localName === element.localName) place += 1;
    return place;
  }

  #fitsAlone(selector: string, element: Element): boolean {
    const found = document.querySelectorAll(selector);
    return found.length === 1 && found[0] === element;
  }
}

/** The bounds, as an argument for `PageEventTarget`. */
export const EVENT_TARGET_LIMITS = MOST;
