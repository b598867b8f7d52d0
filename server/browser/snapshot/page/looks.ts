import type { DocumentWatch } from './watch';

/** How elements look, as far as that can change what a snapshot says. Sent into pages: uses nothing but its own members and the watch. */
export class DocumentLooks {
  readonly #watch: DocumentWatch;
  readonly #known = new Map<Element, number>();
  /** Each way to look by its own number. */
  readonly #ways = new Map<string, number>();
  /** Some rule makes content of its own, or may. */
  #generates = false;

  constructor(watch: DocumentWatch) {
    this.#watch = watch;
  }

  /** Notes how every element looks, just before all is read. */
  begin(): void {
    this.#known.clear();
    this.#ways.clear();
    this.#generates = [...this.#watch.roots].some((root) => [...root.styleSheets, ...root.adoptedStyleSheets].some((sheet) => this.#makesContent(sheet)));
    for (const element of this.#watch.elements.values()) this.#known.set(element, this.#wayOf(element));
  }

  /** Notes how an element looks now. */
  note(element: Element): void {
    this.#known.set(element, this.#wayOf(element));
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
    for (const [element, before] of this.#known) {
      const now = this.#wayOf(element);
      if (now === before) continue;
      this.#known.set(element, now);
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

  #wayOf(element: Element): number {
    const way = this.#describe(element);
    const known = this.#ways.get(way);
    if (known !== undefined) return known;
    this.#ways.set(way, this.#ways.size);
    return this.#ways.size - 1;
  }

  /** Each property takes a microsecond for each element. What an element around it hides is found there. */
  #describe(element: Element): string {
    const style = getComputedStyle(element);
    const { display } = style;
    if (display === 'none') return '';
    const own = `${display} ${style.visibility} ${style.cursor} ${style.textTransform}`;
    return this.#generates ? `${own} ${getComputedStyle(element, '::before').content} ${getComputedStyle(element, '::after').content}` : own;
  }

  /** A sheet from elsewhere is nobody's to read: it may. */
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
