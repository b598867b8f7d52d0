/** One node as the walk returns it; short keys, since there may be thousands. */
export interface WalkedNode {
  /** Index of the parent, -1 for the root. */
  p: number;
  /** Tag, lower case; '#text' for text. */
  t: string;
  /** Text, truncated. */
  x?: string;
  /** Index into the elements that are returned with the JSON. */
  e?: number;
  /** Attributes that a snapshot needs, truncated. */
  a?: Record<string, string>;
  /** Live value, truncated. */
  v?: string;
  /** Sum of `FLAGS`. */
  f: number;
  /** Text of its labels, truncated. */
  l?: string;
}

/** The bits of `f`. The functions below run in the page, where this table is not available, so they use the numbers. */
export const FLAGS = { checked: 1, selected: 2, pointer: 8, inline: 16, visible: 32, custom: 64, dots: 128 } as const;

export interface WalkState {
  nodes: WalkedNode[];
  elements: Element[];
  hits: Set<Node>;
  maxNodes: number;
  /** When the search among very many children ends; the rest of the time is for writing down what was found. */
  searchEndsAt: number;
  endsAt: number;
  /** Whether something was left out because of the number of nodes or for lack of time. */
  stopped: boolean;
}

/**
 * Runs in the page: one pass over the visible part, whatever the size of the page. In containers with very many
 * children it visits those that a hit test or a binary search by position finds, never all of them. `root`: a shadow
 * root to read instead of the document. Returns a JSON text, then the elements that it refers to, in order.
 */
export function walkInView(maxNodes: number, maxMs: number, root?: unknown): unknown[] {
  // Forces a pending layout before the clock starts: the first measurement would trigger it in any case.
  if (document.documentElement) Element.prototype.getBoundingClientRect.call(document.documentElement);
  const now = performance.now();
  const walk: WalkState = {
    nodes: [],
    elements: [],
    hits: new Set(),
    maxNodes,
    searchEndsAt: now + maxMs * 0.7,
    endsAt: now + maxMs,
    stopped: false,
  };
  if (root instanceof ShadowRoot) walkRoot(walk, root);
  else {
    hitTest(walk, maxMs / 3);
    if (document.documentElement) walkElement(walk, document.documentElement, -1, 0);
  }
  return [JSON.stringify({ nodes: walk.nodes, stopped: walk.stopped }), ...walk.elements];
}

/** Runs in the page: writes down the content of a closed shadow root. */
export function walkRoot(walk: WalkState, root: ShadowRoot): void {
  const shown = getComputedStyle(root.host).visibility === 'visible';
  for (const child of Array.from(root.childNodes)) {
    if (child instanceof Text) noteText(walk, child, -1, shown);
    else if (child instanceof Element) walkElement(walk, child, -1, 2);
  }
}

/**
 * Runs in the page: notes the elements at points of the window with their ancestors, for at most `maxMs`. Begins with
 * the middle and the edges, where bars are fixed. One test takes from microseconds to a third of a second, depending on
 * the size of the page.
 */
export function hitTest(walk: WalkState, maxMs: number): void {
  const until = performance.now() + maxMs;
  const rows = [0.5, 0.01, 0.99, 0.1, 0.9, 0.3, 0.7, 0.05, 0.95, 0.2, 0.4, 0.6, 0.8];
  // The few points that find elements fixed to an edge come first, since there may be no time for the rest.
  const rounds = [
    { columns: [0.5, 0.02, 0.98], rows: rows.slice(0, 3) },
    { columns: [0.5, 0.2, 0.8], rows },
    { columns: [0.02, 0.98, 0.35, 0.65], rows },
  ];
  for (const round of rounds) {
    for (const down of round.rows) {
      for (const across of round.columns) {
        if (performance.now() > until) return;
        let at: Node | null = Document.prototype.elementFromPoint.call(
          document,
          window.innerWidth * across,
          window.innerHeight * down,
        );
        for (; at && !walk.hits.has(at); at = at.parentNode) walk.hits.add(at);
      }
    }
  }
}

/** Runs in the page: writes down an element and its content, unless all of that is out of view. */
export function walkElement(walk: WalkState, element: Element, parent: number, depth: number): void {
  if (walk.nodes.length >= walk.maxNodes || performance.now() > walk.endsAt || depth > 200) {
    walk.stopped = true;
    return;
  }
  const style = getComputedStyle(element);
  if (style.display === 'none' && !countsUnseen(element)) return;
  if (depth > 1 && !walk.hits.has(element) && !reachesView(element)) return;
  const index = noteElement(walk, element, parent, style);
  for (const child of childrenInView(walk, element)) {
    if (child instanceof Text) noteText(walk, child, index, style.visibility === 'visible');
    else if (child instanceof Element) walkElement(walk, child, index, depth + 1);
  }
}

/**
 * Runs in the page: whether an element is listed although it is not rendered: an option, which its list shows, or a
 * radio button or checkbox, which its label shows.
 */
export function countsUnseen(element: Element): boolean {
  return (
    element.localName === 'option' ||
    (element instanceof HTMLInputElement && (element.type === 'radio' || element.type === 'checkbox'))
  );
}

/**
 * Runs in the page: whether an element, with its overflow, is in the window. True for one without a size, whose content
 * may be.
 */
export function reachesView(element: Element): boolean {
  const { left, top, right, bottom, width, height } = Element.prototype.getBoundingClientRect.call(element);
  if (width === 0 || height === 0) return true;
  if (left >= window.innerWidth || top >= window.innerHeight) return false;
  const deep = Number(property(Element.prototype, 'scrollHeight', element));
  const wide = Number(property(Element.prototype, 'scrollWidth', element));
  return Math.max(right, left + wide) > 0 && Math.max(bottom, top + deep) > 0;
}

/** Runs in the page: all children, or those in and near the window where there are very many. */
export function childrenInView(walk: WalkState, element: Element): Node[] {
  const shadow = property(Element.prototype, 'shadowRoot', element);
  if (shadow instanceof ShadowRoot) return Array.from(shadow.childNodes);
  if (element instanceof HTMLSlotElement && element.assignedNodes().length > 0)
    return element.assignedNodes({ flatten: true });
  const nodes = property(Node.prototype, 'childNodes', element);
  if (!(nodes instanceof NodeList)) return [];
  if (nodes.length <= 400) return Array.from(nodes);
  const children = property(Element.prototype, 'children', element);
  return children instanceof HTMLCollection ? around(walk, children) : [];
}

/**
 * Runs in the page: the visible children of a container with very many, and those that hit tests found, with their
 * neighbours.
 */
export function around(walk: WalkState, children: HTMLCollection): Element[] {
  const stacked = isStacked(children);
  const found = new Set<Element>();
  for (
    let at = stacked ? firstBelowTop(children) : 0, missed = 0;
    at < children.length && found.size < 1_000;
    at += 1
  ) {
    const child = children.item(at);
    if (!child || (stacked && missed > 10)) break;
    const { top, bottom, left, right } = Element.prototype.getBoundingClientRect.call(child);
    if (bottom > 0 && top < window.innerHeight && right > 0 && left < window.innerWidth) found.add(child);
    else missed += 1;
    if (at % 500 === 499 && performance.now() > walk.searchEndsAt) {
      walk.stopped = true;
      break;
    }
  }
  const container = children.item(0)?.parentNode;
  for (const hit of walk.hits) {
    if (!(hit instanceof Element) || hit.parentNode !== container) continue;
    for (const near of [hit.previousElementSibling, hit, hit.nextElementSibling]) if (near) found.add(near);
  }
  return [...found].sort((a, b) =>
    (Node.prototype.compareDocumentPosition.call(a, b) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 ? -1 : 1,
  );
}

/** Runs in the page: whether the children stand below one another in their order, judged by a sample of fifty. */
export function isStacked(children: HTMLCollection): boolean {
  let before = Number.NEGATIVE_INFINITY;
  for (let sample = 0; sample < 50; sample += 1) {
    const child = children.item(Math.floor((sample * (children.length - 1)) / 49));
    if (!child) continue;
    const { bottom } = Element.prototype.getBoundingClientRect.call(child);
    if (bottom < before) return false;
    before = bottom;
  }
  return true;
}

/** Runs in the page: binary search for the first child that is not above the window. */
export function firstBelowTop(children: HTMLCollection): number {
  let low = 0;
  let high = children.length - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const child = children.item(middle);
    if (child && Element.prototype.getBoundingClientRect.call(child).bottom <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Runs in the page: writes down a text node. */
export function noteText(walk: WalkState, text: Text, parent: number, visible: boolean): void {
  if (/\S/.test(text.substringData(0, 300)))
    walk.nodes.push({ p: parent, t: '#text', x: text.substringData(0, 2_000), f: visible ? 32 : 0 });
}

/** Runs in the page: writes down an element and returns its index. */
export function noteElement(walk: WalkState, element: Element, parent: number, style: CSSStyleDeclaration): number {
  const tag = element.localName.toLowerCase();
  const node: WalkedNode = { p: parent, t: tag, f: flagsOf(element, style) };
  const attributes = attributesOf(element);
  if (Object.keys(attributes).length > 0) node.a = attributes;
  const label = labelOf(element);
  if (label !== '') node.l = label;
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
    node.v = element.value.slice(0, 600);
  if (element instanceof HTMLSelectElement) node.v = (element.selectedOptions.item(0)?.label ?? '').slice(0, 600);
  node.e = walk.elements.push(element) - 1;
  return walk.nodes.push(node) - 1;
}

/** Runs in the page: the bits of `FLAGS` for an element. */
export function flagsOf(element: Element, style: CSSStyleDeclaration): number {
  const checked = element instanceof HTMLInputElement && element.checked ? 1 : 0;
  const selected = element instanceof HTMLOptionElement && element.selected ? 2 : 0;
  const pointer = style.cursor === 'pointer' ? 8 : 0;
  const inline = style.display.startsWith('inline') || style.display === 'contents' ? 16 : 0;
  const visible = style.visibility === 'visible' && style.display !== 'contents' && style.display !== 'none' ? 32 : 0;
  const custom = element.localName.includes('-') && element.matches(':defined') ? 64 : 0;
  const dots = /^(?:none)?$/.test(style.getPropertyValue('-webkit-text-security')) ? 0 : 128;
  return checked + selected + pointer + inline + visible + custom + dots;
}

/** Runs in the page: the attributes from which roles, names and states are computed. */
export function attributesOf(element: Element): Record<string, string> {
  const found: Record<string, string> = {};
  const wanted =
    'role id for type name href alt title placeholder autocomplete contenteditable tabindex disabled required readonly multiple size list value label inert open ' +
    'aria-label aria-checked aria-disabled aria-expanded aria-haspopup aria-selected aria-pressed aria-required aria-readonly aria-invalid aria-level aria-hidden aria-placeholder aria-valuenow aria-valuetext aria-posinset aria-setsize aria-sort';
  for (const name of wanted.split(' ')) {
    const value = Element.prototype.getAttribute.call(element, name);
    if (value !== null) found[name] = value.slice(0, 400);
  }
  const labelledBy = Element.prototype.getAttribute.call(element, 'aria-labelledby');
  const label =
    labelledBy === null
      ? ''
      : labelledBy
          .split(/\s+/)
          .slice(0, 5)
          .map((id) => textOf(Document.prototype.getElementById.call(document, id)))
          .join(' ')
          .trim();
  if (label !== '') found['aria-label'] = label;
  return found;
}

/** Runs in the page: the text of a field's labels. */
export function labelOf(element: Element): string {
  const fields = [HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement, HTMLButtonElement];
  if (!fields.some((field) => element instanceof field)) return '';
  const labels: unknown = Reflect.get(element, 'labels');
  if (!(labels instanceof NodeList)) return '';
  return Array.from(labels).slice(0, 3).map(textOf).join(' ').trim();
}

/** Runs in the page: the text of a subtree, truncated; reads at most 200 text nodes. */
export function textOf(node: Node | null): string {
  if (!node) return '';
  const texts = Document.prototype.createTreeWalker.call(document, node, NodeFilter.SHOW_TEXT);
  let text = '';
  for (let at = 0; at < 200 && text.length < 400; at += 1) {
    const next = texts.nextNode();
    if (!(next instanceof Text)) break;
    text += next.substringData(0, 400);
  }
  return text.trim().slice(0, 400);
}

/**
 * Runs in the page: reads a property by its prototype's getter, which a form field cannot shadow (`<input
 * name="attributes">` shadows that of its form).
 */
export function property(prototype: object, name: string, target: object): unknown {
  const value: unknown = Reflect.get(prototype, name, target);
  return value;
}
