import type { DocumentWatch } from './watch';

/**
 * What the style sheets of a document say, as far as that tells that nothing looks otherwise. Sent into pages: uses
 * nothing but its own members and the watch.
 */
export class DocumentSheets {
  readonly #watch: DocumentWatch;
  /** As they were when it was known how every element looks; undefined when that says nothing. */
  #known: string | undefined;

  constructor(watch: DocumentWatch) {
    this.#watch = watch;
  }

  /** Notes them: it is known now how every element looks. */
  note(): void {
    this.#known = this.#print();
  }

  /**
   * Whether no element can look otherwise than when they were noted, if nothing but text has changed since: no rule was
   * edited, and there is none that text, sizes or hidden states could make fit.
   */
  isCalm(): boolean {
    const known = this.#known;
    this.note();
    return known !== undefined && known === this.#known;
  }

  /**
   * All rules as text; undefined when they are many (three microseconds each), cannot be read, or may fit without a
   * trace.
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

  /** The rules of a sheet from another origin cannot be read. */
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

  /** Whether it fits by names, attributes, places among elements and states that events tell of alone. */
  #isTraced(selector: string): boolean {
    const traced =
      /::-webkit-[a-z-]+|::?(?:hover|active|focus|focus-visible|focus-within|link|visited|any-link|checked|disabled|enabled|required|optional|first-child|last-child|only-child|first-of-type|last-of-type|only-of-type|nth-child|nth-last-child|nth-of-type|nth-last-of-type|not|is|where|has|root|before|after|placeholder|marker|selection|first-line|first-letter|host|slotted)(?![a-z-])/g;
    return !selector.replace(traced, '').includes(':');
  }
}
