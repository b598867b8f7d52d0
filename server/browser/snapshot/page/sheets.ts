import type { DocumentWatch } from './watch';

/**
 * Tells by the style sheets of a document that no element's style can have changed. Sent into pages as source text:
 * uses only its own members and the watch.
 */
export class DocumentSheets {
  readonly #watch: DocumentWatch;
  /** The rules at the moment when the styles of all elements were noted; undefined when they prove nothing. */
  #known: string | undefined;

  constructor(watch: DocumentWatch) {
    this.#watch = watch;
  }

  /** Notes the rules; to be called when the styles of all elements are known. */
  note(): void {
    this.#known = this.#print();
  }

  /**
   * Whether no element's style can have changed since `note`, provided that only text has changed: no rule was edited,
   * and no rule depends on text, sizes or hidden states.
   */
  isCalm(): boolean {
    const known = this.#known;
    this.note();
    return known !== undefined && known === this.#known;
  }

  /**
   * All rules as text; undefined when there are many (three microseconds each), when they cannot be read, or when a
   * rule may begin to match without an event.
   */
  #print(): string | undefined {
    if (document.querySelector('[popover], animate, set, marquee') !== null) return undefined;
    const texts: string[] = [];
    for (const root of this.#watch.roots) {
      for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) {
        texts.push(sheet.disabled ? 'off' : sheet.media.mediaText);
        if (!this.#isPlain(sheet, texts)) return undefined;
      }
    }
    return texts.join('\n');
  }

  /** Whether all rules of a sheet are plain. The rules of a sheet from another origin cannot be read, so it is not. */
  #isPlain(sheet: CSSStyleSheet, texts: string[]): boolean {
    try {
      return this.#arePlain(sheet.cssRules, texts);
    } catch {
      return false;
    }
  }

  #arePlain(rules: CSSRuleList, texts: string[]): boolean {
    if (texts.length + rules.length > 400) return false;
    for (let at = 0; at < rules.length; at += 1) {
      const rule = rules[at];
      if (!rule) continue;
      texts.push(rule.cssText);
      if (rule instanceof CSSFontFaceRule || rule instanceof CSSKeyframesRule) continue;
      if (
        rule instanceof CSSStyleRule
          ? rule.cssRules.length > 0 || !this.#isTraced(rule.selectorText)
          : !(rule instanceof CSSMediaRule && this.#arePlain(rule.cssRules, texts))
      )
        return false;
    }
    return true;
  }

  /**
   * Whether a selector matches only by names, attributes, positions among elements, and states of which events tell.
   */
  #isTraced(selector: string): boolean {
    const traced =
      /::-webkit-[a-z-]+|::?(?:hover|active|focus|focus-visible|focus-within|link|visited|any-link|checked|disabled|enabled|required|optional|first-child|last-child|only-child|first-of-type|last-of-type|only-of-type|nth-child|nth-last-child|nth-of-type|nth-last-of-type|not|is|where|has|root|before|after|placeholder|marker|selection|first-line|first-letter|host|slotted)(?![a-z-])/g;
    return !selector.replace(traced, '').includes(':');
  }
}
