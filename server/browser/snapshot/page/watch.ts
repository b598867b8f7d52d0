/**
 * What our world in a document remembers between two snapshots: every element by number, and what changed since. Like
 * every class here it is sent into pages as source text, and uses only its own members.
 */
export class DocumentWatch {
  /** Every element that the server knows, by the number that both sides use for it. */
  readonly elements = new Map<number, Element>();
  readonly keys = new Map<Element, number>();
  /** What fields hold; scripts change that without an event. */
  readonly fields = new Map<Element, string>();
  /** Custom elements. */
  readonly custom = new Set<Element>();
  /** 1: the element itself changed; 2: its descendants too. */
  readonly touched = new Map<Element, number>();
  readonly gone = new Set<Element>();
  /** The ids of elements that left, and of the controls that removed labels were for. */
  readonly leftIds = new Set<string>();
  /** The document and the open shadow roots that are observed. */
  readonly roots = new Set<Document | ShadowRoot>();
  /** Whether styles may have changed anywhere. */
  restyled = false;
  /** Why the page has to be read whole; '' when it need not be. */
  lost = '';
  /** Whether Chrome's accessibility tree is outdated, in a full reading too. */
  outdated = false;
  /** Whether changes in this document cannot be followed at all. */
  blind = false;
  active: Element | null = null;
  focused = false;
  sheets = '';
  /**
   * Collected at the next garbage collection, after which the number of listeners proves nothing: as many may have been
   * removed as were added.
   */
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

  /**
   * Begins anew, just before the page is read whole. Returns the number of elements and a fingerprint of their order.
   */
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

  /** Processes the mutations up to now. */
  flush(): void {
    this.notice(this.#observer.takeRecords());
    if (this.blind) this.lost = 'a form hides what it is made of';
  }

  /** Whether a garbage collection has happened since the last call. */
  wasTidied(): boolean {
    if (this.#leaf.deref() !== undefined) return false;
    this.#leaf = new WeakRef({});
    return true;
  }

  /** Visits every element of a tree; the elements of an open shadow root come before the other children of its host. */
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

  /** The open shadow root of an element, also when a field of a form is called `shadowRoot`. */
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

  /** Whether a field of the form shadows a property of elements, as one called `children` does. */
  #hidesItself(form: HTMLFormElement): boolean {
    const fields: unknown = Reflect.get(HTMLFormElement.prototype, 'elements', form);
    if (!(fields instanceof HTMLFormControlsCollection)) return true;
    return Array.from(fields).some((field) =>
      [field.getAttribute('name') ?? '', field.id].some((name) => name !== '' && name in Element.prototype),
    );
  }

  /** What a field holds and its state; '' for anything but a field. */
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
   * A fingerprint that changes when style sheets are added, removed, or get rules by script, when the media features
   * change, and when a modal dialog opens or closes.
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

  /** Notes the changes that mutations report; requires a full reading when there are more than can be followed. */
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
   * Notes a change at an element; `kind` 2 includes its descendants. A change at a shadow root counts for its host, one
   * at an option for its list; one in the head is ignored; one at the document requires a full reading.
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

  /** The number of rules; -1 for a sheet from another origin, whose rules cannot be read. */
  #rulesOf(sheet: CSSStyleSheet): number {
    try {
      return sheet.cssRules.length;
    } catch {
      return -1;
    }
  }

  /**
   * Notes added and removed children. Reading a node's accessibility includes its child nodes, so only new elements
   * have to be read by themselves. The name of a table cell depends on its whole table.
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
   * Notes a removed element. Chromium 156 reports one that was moved out of an editor as a separate node when it is
   * read by itself, so that requires a full reading.
   */
  #noticeGone(element: Element, from: Node): void {
    this.gone.add(element);
    if (element.isConnected && from instanceof HTMLElement && from.isContentEditable)
      this.lost = 'elements moved out of an editor';
  }

  /** Notes the ids by which a removed element may have named others. */
  leave(element: Element): void {
    if (element.id !== '') this.leftIds.add(element.id);
    if (element instanceof HTMLLabelElement && element.htmlFor !== '') this.leftIds.add(element.htmlFor);
  }

  /** Notes what the change of an attribute affects. */
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
   * Whether the attribute decides if the label of a checkbox or radio button has a name of its own: if not,
   * accessibility leaves the label out, and its kept texts are outdated after such a change.
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

  /** Whether the attribute affects elements far away, or something that only a full reading gives. */
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
    // Whether a script listens there too is unknown.
    return /^(?:xlink:)?href$/.test(name) && !element.hasAttribute(name);
  }
}
