import type { AxDocument, AxNodeLike } from '../ax-node';
import { rawFromAx } from '../ax';
import { IncrementalTree } from '../incremental-tree';
import type { DomFact, DomFacts } from '../facts';
import { printSnapshot } from '../format';
import { resolveFormat, type SnapshotOptions } from '../options';
import type { SnapshotTree } from '../tree';

/** A small accessibility tree in the form that Chrome sends, written as a nested object. */
export interface AxSketch {
  readonly role: string;
  readonly name?: string;
  /** The name comes from the content. */
  readonly content?: boolean;
  readonly description?: string;
  readonly value?: string | number;
  readonly ignored?: boolean;
  readonly properties?: Record<string, unknown>;
  /** Backend node id; counted from 1 when absent. */
  readonly id?: number;
  readonly children?: readonly AxSketch[];
}

export function text(words: string): AxSketch {
  return { role: 'StaticText', name: words };
}

/** An element named by the text in it. */
export function named(role: string, name: string, more: Partial<AxSketch> = {}): AxSketch {
  return { role, name, content: true, children: [text(name)], ...more };
}

/** Flattens a sketch into the nodes of one document; ids count in document order, beginning after `from`. */
export function axDocument(sketch: AxSketch, frameId = 'main', label = '', from = 0): AxDocument {
  const nodes: AxNodeLike[] = [];
  let last = from;
  const add = (part: AxSketch, parentId: string | undefined): string => {
    last += 1;
    const nodeId = String(last);
    const place = nodes.length;
    const node: AxNodeLike = {
      nodeId,
      ignored: part.ignored ?? false,
      role: { value: part.role },
      name: {
        value: part.name ?? '',
        sources:
          part.content === true ? [{ type: 'attribute' }, { type: 'contents', value: { value: part.name } }] : [],
      },
      properties: Object.entries(part.properties ?? {}).map(([name, value]) => ({ name, value: { value } })),
      backendDOMNodeId: part.id ?? last,
      ...(part.description === undefined ? {} : { description: { value: part.description } }),
      ...(part.value === undefined ? {} : { value: { value: part.value } }),
      ...(parentId === undefined ? {} : { parentId }),
    };
    nodes.push(node);
    const childIds = (part.children ?? []).map((child) => add(child, nodeId));
    nodes[place] = { ...node, childIds };
    return nodeId;
  };
  add(sketch, undefined);
  return { frameId, loaderId: `loader-${frameId}`, label, nodes };
}

export const page = (...children: readonly AxSketch[]): AxSketch => ({ role: 'RootWebArea', name: 'Page', children });

const NOTHING: DomFact = {
  clickable: 'no',
  offscreen: false,
  secret: false,
  inline: false,
  choice: undefined,
  frameId: undefined,
};

/** Facts for nodes 1 to `count`; `said` overrides those of some nodes. */
export function factsOf(said: Record<number, Partial<DomFact>> = {}, count = 200): DomFacts {
  return new Map(Array.from({ length: count }, (_, index) => [index + 1, { ...NOTHING, ...said[index + 1] }]));
}

/** Builds with refs counted from e1. `failed`: the DOM pass failed. */
export function treeOf(documents: readonly AxDocument[], facts: DomFacts | 'failed' = factsOf()): SnapshotTree {
  let last = 0;
  return new IncrementalTree().build(rawFromAx(documents, facts === 'failed' ? undefined : facts), () => {
    last += 1;
    return `e${last}`;
  });
}

/** The text of a page of these parts. */
export function printed(
  parts: readonly AxSketch[],
  options: SnapshotOptions = {},
  facts: DomFacts | 'failed' = factsOf(),
): string {
  return printSnapshot(treeOf([axDocument(page(...parts))], facts), resolveFormat(options), {
    url: 'https://shop.test/',
  }).text;
}
