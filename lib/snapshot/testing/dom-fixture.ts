import { rawFromDom } from '../dom';
import { IncrementalTree } from '../incremental-tree';
import type { DomDocument, DomNode } from '../dom-document';
import { domFacts } from '../dom-facts';
import { printSnapshot } from '../format';
import { resolveFormat, type SnapshotOptions } from '../options';

/** An element of a small document; a string is a text. */
export interface ElementSketch extends Partial<Omit<DomNode, 'attributes' | 'parent' | 'tag'>> {
  readonly tag: string;
  readonly attributes?: Record<string, string>;
  readonly children?: readonly (ElementSketch | string)[];
}

export function el(
  tag: string,
  attributes: Record<string, string> = {},
  children: ElementSketch['children'] = [],
  more: Partial<ElementSketch> = {},
): ElementSketch {
  return { ...more, tag, attributes, children };
}

const INLINE_TAGS = new Set(['a', 'b', 'i', 'span', 'strong', 'em', 'label', 'input', 'button', 'select', 'img']);

/** A document of these parts; backend ids count from `from`. */
export function domDocument(parts: readonly (ElementSketch | string)[], frameId = 'main', from = 1): DomDocument {
  const nodes: DomNode[] = [];
  const base = {
    text: '',
    attributes: new Map<string, string>(),
    value: undefined,
    checked: false,
    selected: false,
    listens: false,
    pointer: false,
    dots: false,
    internal: false,
    box: undefined,
    contentDocument: undefined,
    labelText: undefined,
  };
  const add = (part: ElementSketch | string, parent: number): void => {
    const backendNodeId = from + nodes.length;
    if (typeof part === 'string') {
      nodes.push({
        ...base,
        parent,
        tag: '#text',
        text: part,
        backendNodeId,
        inline: true,
        visible: nodes[parent]?.visible ?? true,
      });
      return;
    }
    const { tag, attributes = {}, children = [], ...more } = part;
    const own =
      nodes.push({
        ...base,
        backendNodeId,
        inline: INLINE_TAGS.has(tag),
        visible: true,
        ...more,
        parent,
        tag,
        attributes: new Map(Object.entries(attributes)),
      }) - 1;
    for (const child of children) add(child, own);
  };
  add({ tag: '#document', children: [el('html', {}, [el('body', {}, parts)])] }, -1);
  return { frameId, nodes, viewport: { x: 0, y: 0, width: 800, height: 600 } };
}

/** The text of a page read from the DOM alone. */
export function printedDom(parts: readonly (ElementSketch | string)[], options: SnapshotOptions = {}): string {
  return printedDocuments([domDocument(parts)], options);
}

export function printedDocuments(documents: readonly DomDocument[], options: SnapshotOptions = {}): string {
  let last = 0;
  const sources = documents.map((dom, index) => ({
    frameId: dom.frameId,
    loaderId: 'l',
    label: index === 0 ? '' : `f${index}`,
    dom,
  }));
  const tree = new IncrementalTree().build(rawFromDom(sources, domFacts(documents)), () => `e${(last += 1)}`);
  return printSnapshot(tree, resolveFormat(options), { url: 'https://shop.test/' }).text;
}
