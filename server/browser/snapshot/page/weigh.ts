/**
 * Runs in the page: counts elements, nodes and characters of a document and its open shadow roots, and stops at the
 * limits. It runs before every snapshot, and Chrome does not optimize it: an index loop takes a third of an iterator's
 * time. Properties are read directly where a page gains nothing by shadowing one (`<input name="shadowRoot">` in a form
 * does).
 */
export function weighDocument(
  maxElements: number,
  maxNodes: number,
  maxChars: number,
): { elements: number; nodes: number; chars: number } {
  const weight = { elements: 0, nodes: 0, chars: 0 };
  const roots: (Document | ShadowRoot)[] = [document];
  for (let root = roots.pop(); root; root = roots.pop()) {
    const elements =
      root instanceof Document ? Document.prototype.querySelectorAll.call(root, '*') : root.querySelectorAll('*');
    weight.elements += elements.length;
    weight.nodes += elements.length;
    if (weight.elements > maxElements) return weight;
    for (let at = 0; at < elements.length; at += 1) {
      const element = elements[at];
      if (!element) continue;
      weight.chars += attributeChars(element);
      const shadow = element.shadowRoot;
      if (shadow !== null && shadow instanceof ShadowRoot) roots.push(shadow);
    }
    addTexts(weight, root, maxNodes, maxChars);
    if (weight.nodes > maxNodes || weight.chars > maxChars) return weight;
  }
  return weight;
}

/** Runs in the page: counts the text nodes and their characters. */
export function addTexts(
  weight: { nodes: number; chars: number },
  root: Node,
  maxNodes: number,
  maxChars: number,
): void {
  const texts = Document.prototype.createTreeWalker.call(document, root, NodeFilter.SHOW_TEXT);
  for (
    let text = texts.nextNode();
    text && weight.nodes <= maxNodes && weight.chars <= maxChars;
    text = texts.nextNode()
  ) {
    weight.nodes += 1;
    if (text instanceof CharacterData) weight.chars += text.length;
  }
}

/**
 * Runs in the page: counts the characters of an element's attributes; uses the prototype's getter where a form shadows
 * the property.
 */
export function attributeChars(element: Element): number {
  const plain: unknown = element.attributes;
  const attributes: unknown =
    plain instanceof NamedNodeMap ? plain : Reflect.get(Element.prototype, 'attributes', element);
  if (!(attributes instanceof NamedNodeMap)) return 0;
  let chars = 0;
  for (let at = attributes.length - 1; at >= 0; at -= 1) chars += attributes[at]?.value.length ?? 0;
  return chars;
}
