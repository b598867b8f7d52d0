import type { PageBoxes } from './boxes';
import type { PageHidden } from './hidden';
import type { PagePasswords } from './passwords';

export interface ExtractedContent {
  readonly text?: string;
  readonly links?: { readonly text: string; readonly url: string }[];
  readonly tables?: { readonly headers: string[]; readonly rows: string[][] }[];
  readonly attrs?: Record<string, string>;
  /** Frames inside, whose content is not included. */
  readonly frames: number;
  /** Number of values left out because they are secret. */
  readonly masked: number;
}

export type ExtractWhat = 'text' | 'markdown' | 'html' | 'links' | 'table' | 'attrs';

/**
 * Extracts the content of a page for people and models. Runs inside the page, in our own world, and changes nothing.
 */
export class PageExtract {
  readonly #boxes: PageBoxes;
  readonly #hidden: PageHidden;
  readonly #passwords: PagePasswords;
  readonly #secretToken: RegExp;
  readonly #secretName: RegExp;
  #masked = 0;

  constructor(boxes: PageBoxes, hidden: PageHidden, passwords: PagePasswords, secretToken: string, secretName: string) {
    this.#boxes = boxes;
    this.#hidden = hidden;
    this.#passwords = passwords;
    this.#secretToken = new RegExp(secretToken);
    this.#secretName = new RegExp(secretName, 'i');
  }

  /**
   * `most`: characters of text that the caller uses; returns slightly more, so that the caller can tell that it was
   * cut.
   */
  page(what: ExtractWhat, most: number): ExtractedContent {
    return this.of(document.body ?? document.documentElement, what, most);
  }

  of(root: Element, what: ExtractWhat, most: number): ExtractedContent {
    this.#masked = 0;
    if (this.#hidden.covers(root) && !this.#hidden.has(root)) return { text: this.#covered(), frames: 0, masked: 1 };
    const frames = root.querySelectorAll('iframe, frame').length;
    const read = this.#read(root, what, most);
    return { ...read, frames, masked: this.#masked };
  }

  #read(root: Element, what: ExtractWhat, most: number): Pick<ExtractedContent, 'text' | 'links' | 'tables' | 'attrs'> {
    switch (what) {
      case 'text':
        return { text: this.#says(root, most * 2).slice(0, most + 1) };
      case 'html':
        return { text: this.#html(root).slice(0, most + 1) };
      case 'markdown':
        return { text: this.#tidy(this.#block(root, { left: most * 2, list: '' })).slice(0, most + 1) };
      case 'links':
        return { links: this.#links(root) };
      case 'table':
        return { tables: this.#tables(root) };
      case 'attrs':
        return { attrs: this.#attrs(root) };
    }
  }

  #html(root: Element): string {
    const copy = root.cloneNode(true);
    if (!(copy instanceof Element)) return '';
    // Whether a field is secret is known of the element itself, not of its copy: both lists are in the same order.
    const originals = this.#allOf(root);
    for (const [at, field] of this.#allOf(copy).entries()) {
      const original = originals[at];
      if (!original || !this.#isSecret(original)) continue;
      if (field.hasAttribute('value')) this.#masked += 1;
      field.removeAttribute('value');
      field.textContent = '';
    }
    return copy.outerHTML;
  }

  #allOf(root: Element): Element[] {
    return [root, ...Array.from(root.querySelectorAll('*'))];
  }

  #attrs(root: Element): Record<string, string> {
    const hidden = this.#isSecret(root);
    const entries = Array.from(root.attributes)
      .slice(0, 200)
      .map(({ name, value }): [string, string] => {
        if (!hidden || name !== 'value') return [name, value.slice(0, 2_000)];
        this.#masked += 1;
        return [name, '•••'];
      });
    return Object.fromEntries(entries);
  }

  #links(root: Element): { text: string; url: string }[] {
    const anchors = Array.from(root.querySelectorAll('a[href]')).filter(
      (anchor) => this.#boxes.isVisible(anchor) && !this.#hidden.covers(anchor),
    );
    return anchors.slice(0, 1_000).map((anchor) => ({
      text: this.#line(anchor).slice(0, 300),
      url: 'href' in anchor ? String(anchor.href).slice(0, 2_048) : '',
    }));
  }

  #tables(root: Element): { headers: string[]; rows: string[][] }[] {
    const tables = root.localName === 'table' ? [root] : Array.from(root.querySelectorAll('table'));
    return tables
      .filter((table) => this.#boxes.isVisible(table) && !this.#hidden.covers(table))
      .slice(0, 20)
      .map((table) => this.#table(table));
  }

  #table(table: Element): { headers: string[]; rows: string[][] } {
    const lines = Array.from(table.querySelectorAll('tr'))
      .filter((line) => line.closest('table') === table)
      .slice(0, 1_000);
    const cells = lines.map((line) => Array.from(line.children, (cell) => this.#line(cell).slice(0, 1_000)));
    const [first] = lines;
    const hasHead =
      first !== undefined &&
      (first.closest('thead') !== null || Array.from(first.children).every(({ localName }) => localName === 'th'));
    return hasHead ? { headers: cells[0] ?? [], rows: cells.slice(1) } : { headers: [], rows: cells };
  }

  /** Markdown of a node and its children. `left` bounds the work. */
  #block(node: Node, state: { left: number; list: string }): string {
    if (state.left <= 0) return '';
    if (node instanceof Text) {
      const text = node.data.replace(/\s+/g, ' ');
      state.left -= text.length;
      return text;
    }
    if (!(node instanceof Element) || this.#isSilent(node)) return '';
    if (this.#hidden.has(node)) return this.#covered();
    const inside = (): string =>
      this.#children(node)
        .map((child) => this.#block(child, state))
        .join('');
    const heading = /^h([1-6])$/.exec(node.localName)?.[1];
    if (heading !== undefined) return `\n\n${'#'.repeat(Number(heading))} ${this.#fold(inside())}\n\n`;
    switch (node.localName) {
      case 'pre':
        return `\n\n\`\`\`\n${this.#raw(node).slice(0, state.left)}\n\`\`\`\n\n`;
      case 'br':
        return '\n';
      case 'hr':
        return '\n\n---\n\n';
      case 'ul':
      case 'ol':
        return `\n${this.#list(node, state)}\n`;
      case 'table':
        return this.#markdownTable(node, state);
      case 'blockquote':
        return `\n\n${this.#tidy(inside())
          .split('\n')
          .map((line) => `> ${line}`)
          .join('\n')}\n\n`;
      default:
        return /^(p|div|section|article|main|header|footer|nav|aside|form|fieldset|figure|dl|dt|dd|address|details|summary|body|html|tr|label)$/.test(
          node.localName,
        )
          ? `\n\n${inside().replace(/^[ \t]+/, '')}\n\n`
          : this.#inline(node, inside);
    }
  }

  /** The text of a node with its white space and line ends. */
  #raw(node: Node): string {
    if (!(node instanceof Element)) return node.nodeType === Node.TEXT_NODE ? (node.nodeValue ?? '') : '';
    if (this.#hidden.has(node)) return this.#covered();
    return this.#hidden.within(node)
      ? Array.from(node.childNodes, (child) => this.#raw(child)).join('')
      : (node.textContent ?? '');
  }

  /** Markdown of an inline element. */
  #inline(node: Element, inside: () => string): string {
    switch (node.localName) {
      case 'a':
        return 'href' in node && node.href !== '' ? `[${this.#fold(inside())}](${String(node.href)})` : inside();
      case 'img':
        return node.getAttribute('alt')
          ? `![${this.#fold(node.getAttribute('alt') ?? '')}](${'src' in node ? String(node.src).slice(0, 500) : ''})`
          : '';
      case 'strong':
      case 'b':
        return this.#around('**', inside());
      case 'em':
      case 'i':
        return this.#around('*', inside());
      case 'code':
        return this.#around('`', inside());
      default:
        return inside();
    }
  }

  #list(list: Element, state: { left: number; list: string }): string {
    const items = Array.from(list.children).filter(({ localName }) => localName === 'li');
    const indent = state.list;
    return items
      .map((item, index) => {
        const inside = this.#tidy(
          this.#children(item)
            .map((child) => this.#block(child, { ...state, list: `${indent}  ` }))
            .join(''),
        ).replace(/\n+/g, '\n');
        state.left -= inside.length;
        return state.left <= 0 ? '' : `${indent}${list.localName === 'ol' ? `${index + 1}.` : '-'} ${inside}`;
      })
      .filter((line) => line !== '')
      .join('\n');
  }

  #markdownTable(table: Element, state: { left: number }): string {
    const { headers, rows } = this.#table(table);
    const line = (cells: readonly string[]): string =>
      `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
    const head = headers.length > 0 ? headers : (rows[0] ?? []).map(() => '');
    const text = [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
    state.left -= text.length;
    return `\n\n${text}\n\n`;
  }

  /** The children as rendered: those of the open shadow root, and assigned nodes in place of a slot. */
  #children(element: Element): Node[] {
    const assigned = this.#isSlot(element) ? element.assignedNodes() : [];
    return assigned.length > 0 ? assigned : Array.from((element.shadowRoot ?? element).childNodes);
  }

  #isSlot(element: Element): element is HTMLSlotElement {
    return element.localName === 'slot';
  }

  #isSilent(element: Element): boolean {
    if (/^(script|style|noscript|template|head|svg|iframe|frame|object|input|textarea|select)$/.test(element.localName))
      return true;
    const style = getComputedStyle(element);
    return style.display === 'none' || style.visibility === 'hidden';
  }

  #isSecret(element: Element): boolean {
    if (this.#hidden.has(element)) return true;
    if (element.localName !== 'input' && element.localName !== 'textarea') return false;
    const words = (name: string): string => (element.getAttribute(name) ?? '').replace(/([a-z])([A-Z])/g, '$1-$2');
    const tokens = (element.getAttribute('autocomplete') ?? '').toLowerCase().split(/\s+/);
    return (
      element.getAttribute('type')?.toLowerCase() === 'password' ||
      tokens.some((token) => this.#secretToken.test(token)) ||
      this.#secretName.test(words('name')) ||
      this.#secretName.test(words('id')) ||
      this.#passwords.was(element)
    );
  }

  #line(element: Element): string {
    return this.#fold(this.#says(element, 2_000));
  }

  /** The element's text as it is shown, without the text of hidden editors. `left` bounds the work. */
  #says(element: Element, left: number): string {
    if (this.#hidden.covers(element)) return this.#covered();
    if (this.#hidden.within(element)) return this.#tidy(this.#block(element, { left, list: '' }));
    return 'innerText' in element && typeof element.innerText === 'string'
      ? element.innerText
      : (element.textContent ?? '');
  }

  #covered(): string {
    this.#masked += 1;
    return '•••';
  }

  #around(mark: string, text: string): string {
    const inside = this.#fold(text);
    return inside === '' ? '' : `${mark}${inside}${mark}`;
  }

  #fold(text: string): string {
    return text.trim().replace(/\s+/g, ' ');
  }

  /** Removes blanks at line ends and all but one of consecutive empty lines. */
  #tidy(text: string): string {
    return text
      .replace(/[ \t]+(?=\n)/g, '')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
  }
}
