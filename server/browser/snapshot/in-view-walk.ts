import { z } from 'zod';
import { scriptJson, scriptResult } from '@/server/cdp/script-result';
import type { CdpSession } from '@/server/cdp/session';
import * as page from './page/in-view';
import { pageScript } from './page/script';

const nodeSchema = z.object({
  p: z.int(),
  t: z.string(),
  x: z.string().optional(),
  e: z.int().optional(),
  a: z.record(z.string(), z.string()).optional(),
  v: z.string().optional(),
  f: z.int(),
  l: z.string().optional(),
});
const walkSchema = z.object({ nodes: z.array(nodeSchema), stopped: z.boolean() });
const elementSchema = z.object({
  value: z.object({
    backendNodeId: z.int(),
    shadowRoot: z.object({ value: z.object({ backendNodeId: z.int(), mode: z.string() }) }).nullish(),
  }),
});
const answerSchema = z.object({ value: z.tuple([z.object({ value: z.string() })], elementSchema) });

/** A node that the walk returned, with its ids from Chrome. */
export interface DescribedNode {
  /** Index of the parent in the list, always smaller than the node's own; -1 at the root. */
  readonly parent: number;
  readonly node: z.infer<typeof nodeSchema>;
  /** Undefined for text. */
  readonly backendNodeId: number | undefined;
  /** Node id of its closed shadow root, if it has one. */
  readonly closedRoot: number | undefined;
}

export interface InViewWalk {
  readonly nodes: readonly DescribedNode[];
  /** Whether something was left out because of the number of nodes or for lack of time. */
  readonly stopped: boolean;
}

/** Where a walk begins: the document of an execution context, or a shadow root by object id. */
export type WalkStart = { readonly contextId: number } | { readonly shadowRoot: string };

const NOTHING: InViewWalk = { nodes: [], stopped: true };
const SERIALIZED = {
  serialization: 'deep',
  maxDepth: 1,
  additionalParameters: { maxNodeDepth: 0, includeShadowTree: 'none' },
} as const;

/**
 * One pass over the visible part of a document or of a shadow root, in our own world, for at most `ms` milliseconds.
 * Deep serialization adds the node ids of the elements and of their shadow roots: about 0.05 ms each. CDP:
 * `Runtime.evaluate`, `Runtime.callFunctionOn {serializationOptions}`.
 */
export async function walk(
  session: CdpSession,
  start: WalkStart,
  limits: { readonly nodes: number; readonly ms: number },
  objectGroup: string,
): Promise<InViewWalk> {
  const options = { serializationOptions: SERIALIZED, objectGroup };
  const { result } =
    'contextId' in start
      ? await session.send('Runtime.evaluate', {
          ...options,
          expression: scriptFor(limits),
          contextId: start.contextId,
        })
      : await session.send('Runtime.callFunctionOn', {
          ...options,
          functionDeclaration: `function () { return ${scriptFor(limits, 'this')}; }`,
          objectId: start.shadowRoot,
        });
  if (result.deepSerializedValue === undefined) return NOTHING;
  const [text, ...elements] = scriptResult(answerSchema, result.deepSerializedValue).value;
  const { nodes, stopped } = scriptJson(walkSchema, text.value);
  return {
    stopped,
    nodes: nodes.map((node, index) =>
      walked(
        node,
        index,
        elements.map(({ value }) => value),
      ),
    ),
  };
}

function walked(
  node: z.infer<typeof nodeSchema>,
  index: number,
  elements: readonly z.infer<typeof elementSchema>['value'][],
): DescribedNode {
  const element = node.e === undefined ? undefined : elements[node.e];
  const root = element?.shadowRoot?.value;
  return {
    parent: node.p < index ? node.p : -1,
    node,
    backendNodeId: element?.backendNodeId,
    closedRoot: root?.mode === 'closed' ? root.backendNodeId : undefined,
  };
}

function scriptFor({ nodes, ms }: { readonly nodes: number; readonly ms: number }, root = ''): string {
  const {
    walkInView,
    walkRoot,
    hitTest,
    walkElement,
    countsUnseen,
    reachesView,
    childrenInView,
    around,
    isStacked,
    firstBelowTop,
    noteText,
    noteElement,
    flagsOf,
    attributesOf,
    labelOf,
    textOf,
    property,
  } = page;
  const helpers = [
    walkRoot,
    hitTest,
    walkElement,
    countsUnseen,
    reachesView,
    childrenInView,
    around,
    isStacked,
    firstBelowTop,
    noteText,
    noteElement,
    flagsOf,
    attributesOf,
    labelOf,
    textOf,
    property,
  ];
  return pageScript(walkInView, helpers, [nodes, ms], root);
}
