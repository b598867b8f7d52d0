import type { PageEventTarget } from './event-target';
import type { PageFacts } from './facts';
import type { PageFocus } from './focus';
import type { PageHidden } from './hidden';
import type { PagePasswords } from './passwords';

/** What a picture of one document shows of its secret fields. */
export interface SecretsInDocument {
  /** A secret field has the focus of the document. */
  readonly focused: boolean;
  /** A frame has the focus of the document. */
  readonly inFrame: boolean;
  /**
   * A secret field shows what it holds: a code, a card number, a password with "show password". Also when somebody
   * was in a secret field since the last look, which may have emptied or removed it.
   */
  readonly clear: boolean;
  /** One of them does that the holder did not fill in. */
  readonly foreign: boolean;
}

/**
 * Finds secret fields (SN6) that a picture of the document shows, for guests of share links (AU4). Runs inside the
 * page and changes nothing. Closed shadow roots cannot be read: an element that only passes the focus on into one
 * counts as a secret field while it has the focus.
 */
export class PageSecrets {
  readonly #eventTargets: PageEventTarget;
  readonly #facts: PageFacts;
  readonly #focus: PageFocus;
  readonly #hidden: PageHidden;
  readonly #passwords: PagePasswords;
  readonly #secretLabel: RegExp;
  /** Fields that were empty when the present holder first had them: what they show is the holder's. */
  #own = new WeakSet<Element>();
  /** Fields that held something once, which an undo can bring back. */
  readonly #filled = new WeakSet<Element>();
  #holder = 0;
  /** What happened in secret fields since the last look; undefined before the first one. */
  #since: { touched: boolean; foreign: boolean } | undefined;

  constructor(
    eventTargets: PageEventTarget,
    facts: PageFacts,
    focus: PageFocus,
    hidden: PageHidden,
    passwords: PagePasswords,
    secretLabel: string,
  ) {
    this.#eventTargets = eventTargets;
    this.#facts = facts;
    this.#focus = focus;
    this.#hidden = hidden;
    this.#passwords = passwords;
    this.#secretLabel = new RegExp(secretLabel, 'i');
    for (const type of ['focusin', 'input']) window.addEventListener(type, (event) => this.#note(event), true);
  }

  /** @param holder a number that changes with the holder of the wheel */
  look(holder: number): SecretsInDocument {
    if (holder !== this.#holder) this.#own = new WeakSet();
    this.#holder = holder;
    const shown = this.#fields(document).filter((field) => this.#shows(field));
    // A password that was shown and hidden again since the last look counts as shown.
    const once = [...shown, ...this.#passwords.revealed()];
    const since = this.#since;
    this.#since = { touched: false, foreign: false };
    const element = this.#focus.own();
    return {
      focused: element !== null && (this.#isSecret(element) || this.#leadsIntoClosedRoot(element)),
      inFrame: element?.localName === 'iframe' || element?.localName === 'frame',
      clear: once.length > 0 || since?.touched === true,
      foreign: since?.foreign === true || once.some((field) => !(field instanceof Element && this.#own.has(field))),
    };
  }

  #note(event: Event): void {
    const [element] = event.composedPath();
    if (!(element instanceof Element)) return;
    const isSecret = this.#isSecret(element);
    if (this.#since && (isSecret || this.#leadsIntoClosedRoot(element))) this.#since.touched = true;
    if (event.type !== 'input' || !this.#holdsText(element) || this.#value(element) === '') return;
    this.#filled.add(element);
    if (this.#since && isSecret && !this.#own.has(element) && !this.#isDots(element)) this.#since.foreign = true;
  }

  /** The fields of text, also in open shadow roots. */
  #fields(root: Document | ShadowRoot): Element[] {
    const inner = Array.from(root.querySelectorAll('*')).flatMap(({ shadowRoot }) =>
      shadowRoot ? this.#fields(shadowRoot) : [],
    );
    return [...Array.from(root.querySelectorAll('input, textarea, [contenteditable]')), ...inner];
  }

  /** Whether it is secret and what it holds can be read in a picture. Notes that the holder may fill it in. */
  #shows(field: Element): boolean {
    if (!this.#isSecret(field)) return false;
    if (this.#value(field) === '') {
      if (!this.#filled.has(field) && !field.matches('[readonly], :disabled')) this.#own.add(field);
      return false;
    }
    this.#filled.add(field);
    return !this.#isDots(field) && this.#isNear(field);
  }

  #isDots(field: Element): boolean {
    return (
      field.getAttribute('type')?.trim().toLowerCase() === 'password' ||
      !['none', ''].includes(getComputedStyle(field).getPropertyValue('-webkit-text-security'))
    );
  }

  #value(field: Element): string {
    return 'value' in field ? String(field.value) : (field.textContent ?? '').trim();
  }

  /** Rendered in the viewport or within one viewport around it, since a page scrolls faster than it answers. */
  #isNear(field: Element): boolean {
    if (!field.checkVisibility({ visibilityProperty: true })) return false;
    const { top, bottom, left, right } = field.getBoundingClientRect();
    return top < 2 * innerHeight && bottom > -innerHeight && left < 2 * innerWidth && right > -innerWidth;
  }

  #isSecret(element: Element): boolean {
    return (
      this.#holdsText(element) &&
      (this.#hidden.has(element) || this.#eventTargets.isSecret(element) || this.#soundsSecret(element))
    );
  }

  #holdsText(element: Element): boolean {
    if (element instanceof HTMLInputElement)
      return !['button', 'submit', 'reset', 'image', 'file', 'checkbox', 'radio', 'hidden', 'range', 'color'].includes(
        element.type,
      );
    return element.localName === 'textarea' || element.matches('[contenteditable]:not([contenteditable="false"])');
  }

  /** By what people read at it. */
  #soundsSecret(element: Element): boolean {
    const labels: (Node | null)[] =
      'labels' in element && element.labels instanceof NodeList ? Array.from(element.labels) : [];
    const root = element.getRootNode();
    if (root instanceof Document || root instanceof ShadowRoot)
      for (const id of (element.getAttribute('aria-labelledby') ?? '').split(/\s+/))
        labels.push(root.getElementById(id));
    return [
      ...['aria-label', 'placeholder', 'aria-placeholder', 'title'].map((name) => element.getAttribute(name)),
      ...labels.flatMap((label) =>
        label instanceof Element
          ? [this.#facts.words(label), label.getAttribute('aria-label'), label.getAttribute('title')]
          : [],
      ),
    ].some((text) => text !== null && this.#secretLabel.test(text.slice(0, 200)));
  }

  #leadsIntoClosedRoot(element: Element): boolean {
    return element.localName.includes('-') && !element.shadowRoot && !element.matches('[tabindex], [contenteditable]');
  }
}
