/**
 * Fields that were filled or focused while the page was held privately (CO8). Runs inside the page, in our own world,
 * and keeps its state there.
 */
export class PageHidden {
  readonly #hidden = new WeakSet<Element>();
  /** Whether anything is hidden. */
  #any = false;
  /** Whether every field is hidden, including those that the page adds later. */
  #all = false;
  /** What the fields held when the hold began; undefined in a document that was loaded during the hold. */
  #before: WeakMap<Element, string> | undefined;
  /** The elements that had the focus since the hold began. */
  #focused: WeakSet<object> | undefined;

  /**
   * Begins a hold: remembers what the fields hold now, except in a document that was loaded during the hold (`later`),
   * and follows the focus from here on. Returns the number of fields.
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
   * Hides the fields that have or had the focus since the hold began, or whose value changed: compared with the start
   * of the hold, or in a document loaded later with the value that the page gave. Returns the first `most`.
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

  /** Hides an element from now on. */
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

  /** Whether the node is hidden or is inside a hidden one, through shadow roots. */
  covers(node: Node | null): boolean {
    for (let at = this.#any ? node : null; at; at = this.#parentOf(at))
      if (at instanceof Element && this.has(at)) return true;
    return false;
  }

  /** Whether something inside other than `except` is hidden, including open shadow roots. */
  within(root: ParentNode, except?: Element): boolean {
    return (
      this.#any &&
      Array.from(root.querySelectorAll('*')).some(
        (element) =>
          (element !== except && this.has(element)) ||
          (element.shadowRoot !== null && this.within(element.shadowRoot, except)),
      )
    );
  }

  /**
   * Whether the element's accessible name may contain hidden text: the browser computes it from its content, or from
   * the elements that label it.
   */
  tells(element: Element): boolean {
    const root = element.getRootNode();
    const ids = (element.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter((id) => id !== '');
    const named =
      root instanceof Document || root instanceof ShadowRoot ? ids.map((id) => root.getElementById(id)) : [];
    const labels = 'labels' in element && element.labels instanceof NodeList ? Array.from(element.labels) : [];
    return (
      this.covers(this.#parentOf(element)) ||
      this.within(element) ||
      [...named, ...labels].some((one) => one instanceof Element && (this.covers(one) || this.within(one, element)))
    );
  }

  /**
   * Whether hidden text would leave with the element or with the selection: it is neither copied nor dragged elsewhere,
   * where it would be ordinary text.
   */
  leaves(from: Node | null): boolean {
    if (!this.#any) return false;
    const selection = (from?.ownerDocument ?? document).getSelection();
    const range = selection !== null && selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined;
    const editors = Array.from(document.querySelectorAll('[contenteditable]'));
    return this.covers(from) || editors.some((editor) => this.has(editor) && range?.intersectsNode(editor) === true);
  }

  /** From the first hidden element on, prevents dragging hidden text elsewhere. */
  #begun(): boolean {
    if (!this.#any) window.addEventListener('dragstart', (event) => this.#drag(event), true);
    this.#any = true;
    return true;
  }

  #drag(event: DragEvent): void {
    const [from] = event.composedPath();
    if (this.leaves(from instanceof Node ? from : null)) event.preventDefault();
  }

  #parentOf(node: Node): Node | null {
    return node instanceof ShadowRoot ? node.host : node.parentNode;
  }

  /** Whether the field has the focus. The body is excluded: it is the active element when nothing has the focus. */
  #hasFocus(field: Element): boolean {
    const root = field.getRootNode();
    return (
      field !== document.body &&
      (root instanceof Document || root instanceof ShadowRoot) &&
      root.activeElement === field
    );
  }

  /** All fields, including those in open shadow roots. */
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

  /** Whether the element's text is edited in place. */
  #isEditor(element: Element): boolean {
    if (
      element instanceof HTMLElement &&
      (element.contentEditable === 'true' || element.contentEditable === 'plaintext-only')
    )
      return true;
    return element === document.body && document.designMode === 'on';
  }

  /** The value that the page itself gave the field. */
  #given(field: Element): string {
    if (field instanceof HTMLSelectElement)
      return (
        Array.from(field.options).find(({ defaultSelected }) => defaultSelected)?.value ?? field.options[0]?.value ?? ''
      );
    return 'defaultValue' in field ? String(field.defaultValue) : '';
  }
}
