/**
 * What our world in a document remembers between two snapshots of it: every element by number, and whether anything changed since. Like
 * every class here that is sent into pages, it uses nothing but its own members.
 */
export class DocumentWatch {
  /** Every element known to the server, by the number that both call it. */
  readonly elements = new Map<number, Element>();
  readonly keys = new Map<Element, number>();
  /** What fields hold; scripts change that without a trace. */
  readonly fields = new Map<Element, string>();
  /** The document and the open shadow roots that are observed. */
  readonly roots = new Set<Document | ShadowRoot>();
  /** Styles may have changed anywhere. */
  restyled = false;
  /** Why all has to be read again; '' when that is not so. */
  lost = '';
  /** Nothing can be followed here, now or later. */
  blind = false;
  active: Element | null = null;
  focused = false;
  sheets = '';
  readonly #observer: MutationObserver;
  #last = 0;

  constructor() {
    this.#observer = new MutationObserver((records) => this.notice(records));
    const restyled = (): void => {
      this.restyled = true;
    };
    const doubtful = 'mouseover mouseout mousedown mouseup focusin focusout input change invalid toggle load transitionrun transitionend animationstart animationend fullscreenchange';
    for (const type of doubtful.split(' ')) document.addEventListener(type, restyled, { capture: true, passive: true });
    for (const type of ['hashchange', 'popstate']) addEventListener(type, restyled);
    addEventListener('resize', () => {
      this.lost = 'the window has another size';
    });
  }

  /** Begins anew, just before all is read. Gives how many elements there are and a fingerprint of their order. */
  begin(): { count: number; print: number } {
    this.#observer.takeRecords();
    for (const known of [this.elements, this.keys, this.fields]) known.clear();
    this.restyled = false;
    this.lost = '';
    this.#last = 0;
    this.#observe(document);
    let print = 0;
    this.inOrder(document, (element) => {
      this.register(element);
      print = (Math.imul(print, 31) + element.localName.length * 131 + element.localName.charCodeAt(0)) | 0;
    });
    this.active = this.activeIn(document);
    this.focused = document.hasFocus();
    this.sheets = this.sheetsNow();
    return { count: this.blind ? -1 : this.#last, print };
  }

  /** What has happened up to now is noted after it. */
  flush(): void {
    this.notice(this.#observer.takeRecords());
    if (this.blind) this.lost = 'a form hides what it is made of';
  }

  /** Every element of a tree, an open shadow root's before the other children of its host. */
  inOrder(root: Node, visit: (element: Element) => void): void {
    const walker = Document.prototype.createTreeWalker.call(document, root, NodeFilter.SHOW_ELEMENT);
    for (let node: Node | null = root instanceof Element ? root : walker.nextNode(); node; node = walker.nextNode()) {
      if (!(node instanceof Element)) continue;
      visit(node);
      const shadow = this.openRoot(node);
      if (!shadow) continue;
      this.#observe(shadow);
      this.inOrder(shadow, visit);
    }
  }

  /** No form can hide it with a field of that name. */
  openRoot(element: Element): ShadowRoot | undefined {
    const plain: unknown = element.shadowRoot;
    if (plain === null) return undefined;
    const shadow: unknown = plain instanceof ShadowRoot ? plain : Reflect.get(Element.prototype, 'shadowRoot', element);
    return shadow instanceof ShadowRoot ? shadow : undefined;
  }

  /** Gives an element its number. */
  register(element: Element): number {
    const known = this.keys.get(element);
    if (known !== undefined) return known;
    const key = this.#last;
    this.#last += 1;
    this.keys.set(element, key);
    this.elements.set(key, element);
    const held = this.heldBy(element);
    if (held !== '') this.fields.set(element, held);
    if (element instanceof HTMLFormElement && this.#hidesItself(element)) this.blind = true;
    return key;
  }

  /** A field called `children` takes the place of that property of its form. */
  #hidesItself(form: HTMLFormElement): boolean {
    const fields: unknown = Reflect.get(HTMLFormElement.prototype, 'elements', form);
    if (!(fields instanceof HTMLFormControlsCollection)) return true;
    return Array.from(fields).some((field) => [field.getAttribute('name') ?? '', field.id].some((name) => name !== '' && name in Element.prototype));
  }

  /** What a field holds and how it stands, '' for what is no field. */
  heldBy(element: Element): string {
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
      const checked = element instanceof HTMLInputElement ? `${element.checked}${element.indeterminate}` : '';
      return `${checked} ${element.validity.valid} ${element.matches(':disabled')} ${element.value}`;
    }
    if (element instanceof HTMLButtonElement) return `${element.matches(':disabled')}`;
    if (!(element instanceof HTMLSelectElement)) return '';
    const chosen = element.multiple ? Array.from(element.selectedOptions, (option) => option.index).join() : `${element.selectedIndex}`;
    return `${chosen} ${element.options.length} ${element.validity.valid} ${element.matches(':disabled')}`;
  }

  activeIn(root: Document | ShadowRoot): Element | null {
    const active = root.activeElement;
    const shadow = active ? this.openRoot(active) : undefined;
    return shadow ? (this.activeIn(shadow) ?? active) : active;
  }

  /** Changes when style sheets come, go, or get rules by script, when the medium changes, and when a modal dialog makes the rest inert. */
  sheetsNow(): string {
    const media = ['(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)', 'print', '(forced-colors: active)'];
    let print = media.map((query) => Number(matchMedia(query).matches)).join('');
    for (const root of this.roots) {
      print += ` ${root.querySelectorAll(':modal').length}`;
      for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) print += ` ${sheet.disabled ? 'off' : this.#rulesOf(sheet)}`;
    }
    return print;
  }

  /** Notes what mutations say has changed. */
  notice(records: readonly MutationRecord[]): void {
    for (const record of records) {
      this.restyled = true;
      // What these attributes change, styles show.
      if (record.type === 'attributes' && /^(?:data-.*|on.*|style)$/.test(record.attributeName ?? '')) continue;
      this.lost = 'it changed';
      return;
    }
  }

  #observe(root: Document | ShadowRoot): void {
    if (this.roots.has(root)) return;
    this.roots.add(root);
    this.#observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  }

  /** -1 for a sheet from elsewhere, whose rules are nobody's to read. */
  #rulesOf(sheet: CSSStyleSheet): number {
    try {
      return sheet.cssRules.length;
    } catch {
      return -1;
    }
  }
}
