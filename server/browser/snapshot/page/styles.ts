import type { DocumentWatch } from './watch';

/** The style of an element when it was noted; `style` is live. */
interface RenderedStyle {
  readonly style: CSSStyleDeclaration;
  display: string;
  visibility: string;
  cursor: string;
  /** How letters are drawn: in another case, or as dots. */
  letters: string;
  /** The content that rules generate before and after it. */
  content: string;
}

/**
 * The styles of elements, as far as they change what a snapshot says. Sent into pages as source text: uses only its own
 * members and the watch.
 */
export class DocumentStyles {
  readonly #watch: DocumentWatch;
  readonly #known = new Map<Element, RenderedStyle>();
  /** Whether some rule generates content, or may. */
  #generates = false;

  constructor(watch: DocumentWatch) {
    this.#watch = watch;
  }

  /** Notes the styles of all elements, just before the page is read whole. */
  begin(): void {
    this.#known.clear();
    this.#generates = [...this.#watch.roots].some((root) =>
      [...root.styleSheets, ...root.adoptedStyleSheets].some((sheet) => this.#makesContent(sheet)),
    );
    for (const element of this.#watch.elements.values()) this.note(element);
  }

  /** Notes the current style of an element. */
  note(element: Element): void {
    const look = {
      style: getComputedStyle(element),
      display: 'none',
      visibility: '',
      cursor: '',
      letters: '',
      content: '',
    };
    this.#renew(element, look);
    this.#known.set(element, look);
  }

  forget(element: Element): void {
    this.#known.delete(element);
  }

  knows(element: Element): boolean {
    return this.#known.has(element);
  }

  /**
   * The elements whose style changed since it was noted, and notes it again; undefined when there are more than `most`.
   */
  changed(most: number): Element[] | undefined {
    const found: Element[] = [];
    for (const [element, look] of this.#known) {
      const { display, visibility } = look;
      if (!this.#renew(element, look)) continue;
      if (look.display === display && look.visibility !== visibility && this.#watch.isLabelledBox(element))
        this.#watch.noticeLabel();
      if (found.push(element) > most) return undefined;
    }
    return found;
  }

  /** Whether a style sheet generates content for the element in a box of its own. */
  hasGeneratedBox(element: Element): boolean {
    if (!this.#generates) return false;
    return ['::before', '::after'].some((pseudo) => {
      const { content, display } = getComputedStyle(element, pseudo);
      return !/^(?:none|normal|""|)$/.test(content) && !display.startsWith('inline');
    });
  }

  /**
   * Updates a noted style, and tells whether it changed. Reading a property takes a fifth of a microsecond, and so does
   * getting the style of an element. Inherited invisibility is included.
   */
  #renew(element: Element, look: RenderedStyle): boolean {
    const { style } = look;
    const { display } = style;
    if (display === 'none') return this.#become(look, 'none', '', '', '', '');
    const content = this.#generates
      ? `${getComputedStyle(element, '::before').content} ${getComputedStyle(element, '::after').content}`
      : '';
    const letters =
      element.localName === 'input' || element.localName === 'textarea'
        ? `${style.textTransform} ${style.getPropertyValue('-webkit-text-security')}`
        : style.textTransform;
    return this.#become(look, display, style.visibility, style.cursor, letters, content);
  }

  #become(
    look: RenderedStyle,
    display: string,
    visibility: string,
    cursor: string,
    letters: string,
    content: string,
  ): boolean {
    if (
      look.display === display &&
      look.visibility === visibility &&
      look.cursor === cursor &&
      look.letters === letters &&
      look.content === content
    )
      return false;
    look.display = display;
    look.visibility = visibility;
    look.cursor = cursor;
    look.letters = letters;
    look.content = content;
    return true;
  }

  /** Whether a sheet may generate content; true for a sheet from another origin, whose rules cannot be read. */
  #makesContent(sheet: CSSStyleSheet): boolean {
    try {
      return this.#anyMakesContent(sheet.cssRules);
    } catch {
      return true;
    }
  }

  #anyMakesContent(rules: CSSRuleList): boolean {
    for (let at = 0; at < rules.length; at += 1) {
      const rule = rules[at];
      if (rule instanceof CSSImportRule) return true;
      if (rule instanceof CSSStyleRule && /::?(?:before|after)|&/.test(rule.selectorText)) return true;
      const inner: unknown = rule && Reflect.get(rule, 'cssRules');
      if (inner instanceof CSSRuleList && inner.length > 0 && this.#anyMakesContent(inner)) return true;
    }
    return false;
  }
}
