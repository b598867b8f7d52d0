/**
 * What our world in a document remembers between two snapshots of it: every element by number, and what changed since.
 * Like every class here that is sent into pages, it uses nothing but its own members.
 */
export class DocumentWatch {
  /** Every element known to the server, by the number that both call it. */
  readonly elements = new Map<number, Element>();
  readonly keys = new Map<Element, number>();
  /** What fields hold; scripts change that without a trace. */
  readonly fields = new Map<Element, string>();
  /** Elements of the page's own making. */
  readonly custom = new Set<Element>();
  /** 1: the element itself changed; 2: what is below it too. */
  readonly touched = new Map<Element, number>();
  readonly gone = new Set<Element>();
  /** The ids of elements that left, and of the controls that labels which left were for. */
  readonly leftIds = new Set<string>();
  /** The document and the open shadow roots that are observed. */
  readonly roots = new Set<Document | ShadowRoot>();
  /** Styles may have changed anywhere. */
  restyled = false;
  /** Why all has to be read again; '' when that is not so. */
  lost = '';
  /** What Chrome kept of accessibility is not to be trusted, in a full reading neither. */
  outdated = false;
  /** Nothing can be followed here, now or later. */
  blind = false;
  active: Element | null = null;
  focused = false;
  sheets = '';
  /** Gone as soon as memory was tidied up. The number of listeners says nothing then: as many may have gone as came. */
  #leaf = new WeakRef({});
  readonly #observer: MutationObserver;
  #last = 0;

  constructor() {
    this.#observer = new MutationObserver((records) => this.notice(records));
    const restyled = (): void => {
      this.restyled = true;
    };
    const doubtful =
      'mouseover mouseout mousedown mouseup focusin focusout input change invalid toggle load transitionrun transitionend animationstart animationend fullscreenchange';
    for (const type of doubtful.split(' ')) document.addEventListener(type, restyled, { capture: true, passive: true });
    for (const type of ['hashchange', 'popstate']) addEventListener(type, restyled);
    addEventListener('resize', () => {
      this.lost = 'the window has another size';
    });
  }

  /** Begins anew, just before all is read. Gives how many elements there are and a fingerprint of their order. */
  begin(): { count: number; print: number } {
    this.#observer.takeRecords();
    for (const known of [this.elements, this.keys, this.fields, this.custom, this.touched, this.gone, this.leftIds])
      known.clear();
    this.restyled = false;
    this.lost = '';
    this.outdated = false;
    this.#leaf = new WeakRef({});
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

  /** Whether memory was tidied up since this was asked last. */
  wasTidied(): boolean {
    if (this.#leaf.deref() !== undefined) return false;
    this.#leaf = new WeakRef({});
    return true;
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
    if (element.localName.includes('-')) this.custom.add(element);
    if (element instanceof HTMLFormElement && this.#hidesItself(element)) this.blind = true;
    return key;
  }

  /** A field called `children` takes the place of that property of its form. */
  #hidesItself(form: HTMLFormElement): boolean {
    const fields: unknown = Reflect.get(HTMLFormElement.prototype, 'elements', form);
    if (!(fields instanceof HTMLFormControlsCollection)) return true;
    return Array.from(fields).some((field) =>
      [field.getAttribute('name') ?? '', field.id].some((name) => name !== '' && name in Element.prototype),
    );
  }

  /** What a field holds and how it stands, '' for what is no field. */
  heldBy(element: Element): string {
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
      const checked = element instanceof HTMLInputElement ? `${element.checked}${element.indeterminate}` : '';
      return `${checked} ${element.validity.valid} ${element.matches(':disabled')} ${element.value}`;
    }
    if (element instanceof HTMLButtonElement) return `${element.matches(':disabled')}`;
    if (!(element instanceof HTMLSelectElement)) return '';
    const chosen = element.multiple
      ? Array.from(element.selectedOptions, (option) => option.index).join()
      : `${element.selectedIndex}`;
    return `${chosen} ${element.options.length} ${element.validity.valid} ${element.matches(':disabled')} ${CSS.supports('selector(:open)') && element.matches(':open')}`;
  }

  activeIn(root: Document | ShadowRoot): Element | null {
    const active = root.activeElement;
    const shadow = active ? this.openRoot(active) : undefined;
    return shadow ? (this.activeIn(shadow) ?? active) : active;
  }

  /**
   * Changes when style sheets come, go, or get rules by script, when the medium changes, and when a modal dialog makes
   * the rest inert.
   */
  sheetsNow(): string {
    const media = [
      '(prefers-color-scheme: dark)',
      '(prefers-reduced-motion: reduce)',
      'print',
      '(forced-colors: active)',
    ];
    let print = media.map((query) => Number(matchMedia(query).matches)).join('');
    for (const root of this.roots) {
      print += ` ${root.querySelectorAll(':modal').length}`;
      for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets])
        print += ` ${sheet.disabled ? 'off' : this.#rulesOf(sheet)}`;
    }
    return print;
  }

  /** Notes what mutations say has changed; more than can be followed means that all has. */
  notice(records: readonly MutationRecord[]): void {
    for (const { target, attributeName } of records)
      if (target instanceof Element && this.#changesLabel(target, attributeName ?? '')) this.noticeLabel();
    if (this.lost !== '') return;
    if (records.length + this.touched.size > 3_000) {
      this.lost = 'too much changed';
      return;
    }
    for (const record of records) {
      if (record.type === 'childList') this.#noticeChildren(record);
      else if (record.type === 'characterData') this.touch(record.target.parentNode, 1);
      else if (record.target instanceof Element) this.#noticeAttribute(record.target, record.attributeName ?? '');
    }
  }

  /**
   * Notes a change at an element, `kind` 2: with all below it. At a shadow root it is its host's, at an option its
   * list's, in the head nobody's, and at the document everybody's.
   */
  touch(node: Node | null, kind: number): void {
    if (node instanceof ShadowRoot) this.touch(node.host, kind);
    else if (node instanceof Document) this.lost = 'the document began anew';
    else if (node instanceof HTMLStyleElement) this.lost = 'style sheets changed';
    else if (node instanceof HTMLOptionElement || node instanceof HTMLOptGroupElement)
      this.touch(node.closest('select, datalist') ?? node.parentElement, 2);
    else if (node instanceof Element && kind > (this.touched.get(node) ?? 0) && !this.#isInHead(node))
      this.touched.set(node, kind);
  }

  #isInHead(element: Element): boolean {
    return document.head?.contains(element) ?? false;
  }

  #observe(root: Document | ShadowRoot): void {
    if (this.roots.has(root)) return;
    this.roots.add(root);
    this.#observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  }

  /** -1 for a sheet from another origin, whose rules cannot be read. */
  #rulesOf(sheet: CSSStyleSheet): number {
    try {
      return sheet.cssRules.length;
    } catch {
      return -1;
    }
  }

  /**
   * With a node, accessibility gives the nodes in it: only what is new has to be asked for by itself. What a cell is
   * called depends on its table.
   */
  #noticeChildren(record: MutationRecord): void {
    this.touch(record.target, 1);
    if (record.target instanceof Element) this.touch(record.target.closest('table'), 2);
    for (const list of [record.addedNodes, record.removedNodes]) {
      for (let at = 0; at < list.length; at += 1) {
        const node = list.item(at);
        if (!(node instanceof Element)) continue;
        this.restyled = true;
        if (list === record.removedNodes) this.#noticeGone(node, record.target);
        else this.touch(node, 2);
        if (/^(?:style|link)$/.test(node.localName) || node.querySelector('style, link') !== null)
          this.lost = 'style sheets changed';
        if (document.querySelector('[aria-owns]')) this.lost = 'elements came or went where some own others';
      }
    }
  }

  /**
   * What moves out of an editor is said, when it is asked for by itself, to be a node of its own still (Chromium 156).
   */
  #noticeGone(element: Element, from: Node): void {
    this.gone.add(element);
    if (element.isConnected && from instanceof HTMLElement && from.isContentEditable)
      this.lost = 'elements moved out of an editor';
  }

  /** Others may have been named by it. */
  leave(element: Element): void {
    if (element.id !== '') this.leftIds.add(element.id);
    if (element instanceof HTMLLabelElement && element.htmlFor !== '') this.leftIds.add(element.htmlFor);
  }

  /** What an attribute of an element can change. */
  #noticeAttribute(element: Element, name: string): void {
    this.restyled = true;
    if (/^(?:data-.*|on.*|style)$/.test(name)) return;
    if (this.#changesFar(element, name)) {
      this.lost = `"${name}" of an element changed`;
      return;
    }
    const own = [
      'aria-label',
      'aria-checked',
      'aria-expanded',
      'aria-haspopup',
      'aria-selected',
      'aria-pressed',
      'aria-valuenow',
      'aria-valuetext',
      'aria-current',
      'aria-placeholder',
      'title',
      'placeholder',
      'alt',
      'href',
    ];
    this.touch(element, own.includes(name) ? 1 : 2);
    if (/^(?:hidden|role|class|type|tabindex|controls)$/.test(name)) this.touch(element.parentNode, 1);
    if (/^(?:colspan|rowspan|scope|headers|role|abbr)$/.test(name)) this.touch(element.closest('table'), 2);
  }

  /**
   * Whether it decides if the label of a box to check says more than the box: accessibility leaves out one that does
   * not, and what it kept of the texts in it is not to be trusted then.
   */
  #changesLabel(element: Element, name: string): boolean {
    if (this.isLabelledBox(element)) return /^aria-label(?:ledby)?$/.test(name);
    return (
      element instanceof HTMLLabelElement &&
      this.isLabelledBox(element.control) &&
      /^(?:aria-.*|title|tabindex)$/.test(name)
    );
  }

  noticeLabel(): void {
    this.outdated = true;
    this.lost = 'what a label says of itself changed';
  }

  isLabelledBox(element: Element | null): boolean {
    return (
      element instanceof HTMLInputElement &&
      /^(?:checkbox|radio)$/.test(element.type) &&
      (element.labels?.length ?? 0) > 0
    );
  }

  /** Whether it can change what is said of elements far away, or something that only a full reading tells. */
  #changesFar(element: Element, name: string): boolean {
    const far = [
      'id',
      'aria-owns',
      'aria-hidden',
      'inert',
      'aria-activedescendant',
      'aria-modal',
      'for',
      'slot',
      'popover',
      'popovertarget',
      'command',
      'commandfor',
      'usemap',
      'form',
      'contenteditable',
      'is',
    ];
    if (far.includes(name) || /^(?:style|link|base)$/.test(element.localName)) return true;
    if (name === 'open') return element.localName === 'dialog';
    if (name === 'disabled') return !element.matches('button, input, select, textarea, option, optgroup');
    // Whether a script listens there too is not known.
    return /^(?:xlink:)?href$/.test(name) && !element.hasAttribute(name);
  }
}
