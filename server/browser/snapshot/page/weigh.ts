/**
 * Runs in the page: counts elements, nodes and characters of a document and its open shadow roots, and stops at the limits.
 * What it uses is taken from the prototypes, since a form's own fields hide its properties (`<input name="attributes">`).
 */
export function weighDocument(maxElements: number, maxNodes: number, maxChars: number): { elements: number; nodes: number; chars: number } {
  const weight = { elements: 0, nodes: 0, chars: 0 };
  const roots: Node[] = [document];
  for (let root = roots.pop(); root; root = roots.pop()) {
    const walker = Document.prototype.createTreeWalker.call(document, root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      weight.nodes += 1;
      if (node instanceof CharacterData) {
        weight.chars += node.length;
      } else {
        weight.elements += 1;
        weight.chars += attributeChars(property(Element.prototype, 'attributes', node));
        const shadow = property(Element.prototype, 'shadowRoot', node);
        if (shadow instanceof Node) roots.push(shadow);
      }
      if (weight.elements > maxElements || weight.chars > maxChars || weight.nodes > maxNodes) return weight;
    }
  }
  return weight;
}

/** Runs in the page. */
export function attributeChars(attributes: unknown): number {
  let chars = 0;
  if (!(attributes instanceof NamedNodeMap)) return chars;
  for (let at = 0; at < attributes.length; at += 1) chars += attributes.item(at)?.value.length ?? 0;
  return chars;
}

/** Runs in the page: reads a property by its prototype's getter, which no element can hide (`<input name="attributes">` in a form does). */
export function property(prototype: object, name: string, target: object): unknown {
  const value: unknown = Reflect.get(prototype, name, target);
  return value;
}
