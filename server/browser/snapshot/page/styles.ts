import type { DocumentWatch } from './watch';

/** How an element looked when that was noted; the style is a live view on how it looks. */
interface RenderedStyle {
  readonly style: CSSStyleDeclaration;
  display: string;
  visibility: string;
  cursor: string;
  letters: string;
  /** What rules put before and after it. */
  content: string;
}

/**
 * How elements look, as far as that can change what a snapshot says. Sent into pages: uses nothing but its own members
 * and the watch.
 */
export class DocumentStyles {
  readonly #watch: DocumentWatch;
  readonly #known = new Map<Element, RenderedStyle>();
  /** Some rule makes content of its own, or may. */
  #generates = false;

  constructor(watch: DocumentWatch) {
    this.#watch = watch;
  }

  /** Notes how every element looks, just before all is read. */
  begin(): void {
    this.#known.clear();
    this.#generates = [...this.#watch.roots].some((root) =>
      [...root.styleSheets, ...root.adoptedStyleSheets].some((sheet) => this.#makesContent(sheet)),
    );
    for (const element of this.#watch.elements.values()) this.note(element);
  }

  /** Notes how an element looks now. */
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

  /** The elements that look other than when they were noted, noted anew; undefined when they are more than `most`. */
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

  /** Content that a style sheet puts beside that of the page in a box of its own. */
  hasGeneratedBox(element: Element): boolean {
    if (!this.#generates) return false;
    return ['::before', '::after'].some((pseudo) => {
      const { content, display } = getComputedStyle(element, pseudo);
      return !/^(?:none|normal|""|)$/.test(content) && !display.startsWith('inline');
    });
  }

  /**
   * Brings a look up to date, and tells whether it is another one. Each property takes a fifth of a microsecond, to get
   * the style of an element as much. What an element around it hides is found there.
   */
  #renew(element: Element, look: RenderedStyle): boolean {
    const { style } = look;
    const { display } = style;
    if (display === 'none') return this.#become(look, 'none', '', '', '', '');
    const content = this.#generates
      ? `${getComputedStyle(element, '::before').content} ${getComputedStyle(element, '::after').content}`
      : '';
    return this.#become(look, display, style.visibility, style.cursor, style.textTransform, content);
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

  /** The rules of a sheet from another origin cannot be read: it may change the element. */
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
