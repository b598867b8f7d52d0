/**
 * Fields that were filled or focused while the page was held privately (CO8); runs inside the page, in our own world,
 * and keeps what it knows there.
 */
export class PageHidden {
  readonly #hidden = new WeakSet<Element>();
  /** Something is hidden. */
  #any = false;
  /** Every field is, whenever it came. */
  #all = false;
  /** What the fields held when the hold began; undefined in a document that came later. */
  #before: WeakMap<Element, string> | undefined;
  /** What had the focus since. */
  #focused: WeakSet<object> | undefined;

  /**
   * The hold begins: remembers what the fields hold now, but not in a document that came during it (`later`), and
   * follows the focus from here on. Gives how many fields there are.
   */
  begin(later: boolean): number {
    if (later && this.#focused) return 0;
    const fields = this.#fields(document);
    if (!later) this.#before = new WeakMap(fields.map((field): [Element, string] => [field, this.#value(field)]));
    if (!this.#focused)
      window.addEventListener('focusin', (event) => this.#focused?.add(event.composedPath()[0] ?? document), true);
    this.#focused = new WeakSet(fields.filter((field) => this.#hasFocus(field)));
    return fields.length;
  }

  /**
   * Those that have or had the focus since it began, or hold something else than then, or, in a document that came
   * later, than the page gave them: hidden from now on. The first `most` are given.
   */
  touched(most: number): Element[] {
    const fields = this.#fields(document).filter(
      (field) =>
        this.#hasFocus(field) ||
        this.#focused?.has(field) ||
        this.#value(field) !== (this.#before?.get(field) ?? this.#given(field)),
    );
    for (const field of fields) this.hide(field);
    return fields.slice(0, most);
  }

  /** Hidden from now on. */
  hide(element: Element): boolean {
    this.#hidden.add(element);
    return this.#begun();
  }

  hideAll(): boolean {
    this.#all = true;
    return this.#begun();
  }

  has(element: Element): boolean {
    return this.#hidden.has(element) || (this.#all && this.#holdsText(element));
  }

  /** It is hidden, or in something that is, also from inside a shadow root. */
  covers(element: Element): boolean {
    for (let at: Node | null = this.#any ? element : null; at; at = at.parentNode ?? this.#hostOf(at))
      if (at instanceof Element && this.has(at)) return true;
    return false;
  }

  /** Something in it is hidden, also in open shadow roots. */
  within(root: ParentNode): boolean {
    return (
      this.#any &&
      Array.from(root.querySelectorAll('*')).some(
        (element) => this.has(element) || (element.shadowRoot !== null && this.within(element.shadowRoot)),
      )
    );
  }

  /**
   * What the element is called says something that is hidden: its name is put together from what is in it, or from
   * others that label or describe it.
   */
  tells(element: Element): boolean {
    const content =
      /^(a|button|summary|option|h[1-6]|td|th|tr|li|legend|caption|label)$/.test(element.localName) ||
      element.hasAttribute('role');
    const own = this.covers(element) && !this.has(element);
    return (
      own ||
      (content && this.#holds(element, element)) ||
      this.#around(element).some((one) =>
        one === element ? this.has(element) : this.covers(one) || this.#holds(one, element),
      )
    );
  }

  /** An editor whose text is hidden is in the range, or around it. */
  meets(range: Range): boolean {
    if (!this.#any) return false;
    const { commonAncestorContainer: node } = range;
    const around = node instanceof Element ? node : node.parentElement;
    if (around && this.covers(around)) return true;
    return Array.from(document.querySelectorAll('[contenteditable]')).some(
      (editor) => this.has(editor) && range.intersectsNode(editor),
    );
  }

  /** Elements that say the name or the description of this one. */
  #around(element: Element): Element[] {
    const root = element.getRootNode();
    const ids = ['aria-labelledby', 'aria-describedby']
      .flatMap((name) => (element.getAttribute(name) ?? '').split(/\s+/))
      .filter((id) => id !== '');
    const named =
      root instanceof Document || root instanceof ShadowRoot ? ids.map((id) => root.getElementById(id)) : [];
    const labels: unknown[] =
      'labels' in element && element.labels instanceof NodeList ? Array.from(element.labels) : [];
    const titles = /^(fieldset|table|figure)$/.test(element.localName)
      ? Array.from(element.children).filter(({ localName }) => /^(legend|caption|figcaption)$/.test(localName))
      : [];
    return [...named, ...labels, ...titles].filter((one) => one instanceof Element);
  }

  /** From now on nothing of it is dragged elsewhere, where it would be ordinary text. */
  #begun(): boolean {
    if (!this.#any) window.addEventListener('dragstart', (event) => this.#keep(event), true);
    this.#any = true;
    return true;
  }

  #keep(event: DragEvent): void {
    const [from] = event.composedPath();
    const element = from instanceof Element ? from : from instanceof Node ? from.parentElement : null;
    const selection = document.getSelection();
    const marked = selection !== null && selection.rangeCount > 0 && this.meets(selection.getRangeAt(0));
    if (marked || (element !== null && this.covers(element))) event.preventDefault();
  }

  /** Something else than `except` is hidden in it. */
  #holds(root: Element, except: Element): boolean {
    return this.#any && Array.from(root.querySelectorAll('*')).some((one) => one !== except && this.has(one));
  }

  #hostOf(node: Node): Element | null {
    return node instanceof ShadowRoot ? node.host : null;
  }

  /** The body has it when nothing else has. */
  #hasFocus(field: Element): boolean {
    const root = field.getRootNode();
    return (
      field !== document.body &&
      (root instanceof Document || root instanceof ShadowRoot) &&
      root.activeElement === field
    );
  }

  /** Into open shadow roots too. */
  #fields(root: Document | ShadowRoot): Element[] {
    return Array.from(root.querySelectorAll('*')).flatMap((element) => [
      ...(this.#holdsText(element) ? [element] : []),
      ...(element.shadowRoot ? this.#fields(element.shadowRoot) : []),
    ]);
  }

  #holdsText(element: Element): boolean {
    if (element.localName === 'textarea' || element.localName === 'select' || this.#isEditor(element)) return true;
    return (
      element instanceof HTMLInputElement &&
      !['button', 'submit', 'reset', 'image', 'file', 'checkbox', 'radio', 'hidden'].includes(element.type)
    );
  }

  #value(field: Element): string {
    if (this.#isEditor(field)) return field.textContent ?? '';
    return 'value' in field ? String(field.value) : '';
  }

  /** An element whose text is written in place. */
  #isEditor(element: Element): boolean {
    if (
      element instanceof HTMLElement &&
      (element.contentEditable === 'true' || element.contentEditable === 'plaintext-only')
    )
      return true;
    return element === document.body && document.designMode === 'on';
  }

  /** What the page itself put there. */
  #given(field: Element): string {
    if (field instanceof HTMLSelectElement)
      return (
        Array.from(field.options).find(({ defaultSelected }) => defaultSelected)?.value ?? field.options[0]?.value ?? ''
      );
    return 'defaultValue' in field ? String(field.defaultValue) : '';
  }
}
