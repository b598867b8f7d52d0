import { z } from 'zod';
import type { Budget } from '@/lib/budget/budget';
import type { DomDocument, DomNode } from '@/lib/snapshot/dom-document';
import type { CdpSession } from '@/server/cdp/session';
import { readFrames, type FrameInfo } from './frames';
import * as page from './page/in-view';
import { pageScript } from './page/script';
import type { Worlds } from './worlds';

/** At most so many nodes of one document are written down, and so long may the page take for it, milliseconds; so many are asked for their listeners, by two commands each. */
const LIMITS = { nodes: 2_500, listeners: 600, ms: 1_200, innerFrames: 8, innerMs: 400 } as const;

const GROUP = 'wheelhouse-view';

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
type Walked = z.infer<typeof nodeSchema>;
const walkSchema = z.object({ nodes: z.array(nodeSchema), stopped: z.boolean() });
const elementSchema = z.object({ value: z.object({ backendNodeId: z.int() }) });
const answerSchema = z.object({ value: z.tuple([z.object({ value: z.string() })], elementSchema) });

export interface InViewReading {
  readonly dom: readonly DomDocument[];
  readonly after: readonly FrameInfo[];
  /** Not even all that is in view was written down: it was too much, or took too long. */
  readonly stopped: boolean;
  /** Elements in view that were not asked whether a script listens to them: there were too many. */
  readonly unasked: number;
  /** Elements of the page's own making in view: what they keep in closed shadow roots, or say to accessibility by script, is not read here. */
  readonly custom: number;
  readonly ms: number;
}

interface WalkedDocument {
  readonly dom: DomDocument;
  readonly stopped: boolean;
  readonly unasked: number;
  readonly custom: number;
}

/**
 * Reads what is in view of a page of any size, in bounded time (SN10): one walk inside each document in its own world. The elements come
 * with their node ids by deep serialization, about 0.05 ms each. `patienceMs`: what it may not use up. CDP: `Runtime.evaluate {serializationOptions}`, `DOM.getFrameOwner`,
 * `DOM.resolveNode`, `DOMDebugger.getEventListeners`.
 */
export async function readInView(budget: Budget, session: CdpSession, worlds: Worlds, frames: readonly FrameInfo[], patienceMs: number): Promise<InViewReading> {
  const startedAt = budget.elapsedMs();
  const walked = frames.slice(0, LIMITS.innerFrames + 1);
  const [documents, owners, after] = await budget.during('what is in view', () =>
    Promise.all([
      Promise.all(walked.map((frame, index) => walkFrame(budget, session, worlds, frame, Math.min(patienceMs / 4, index === 0 ? LIMITS.ms : LIMITS.innerMs)))),
      Promise.all(walked.slice(1).map((frame) => session.sendMayFail('DOM.getFrameOwner', { frameId: frame.frameId }))),
      readFrames(budget, session),
    ]),
  );
  const inner = new Map(owners.map((owner, index) => [owner?.backendNodeId ?? -1, index + 1]));
  return {
    dom: documents.map(({ dom }) => placeFrames(dom, inner)),
    after,
    stopped: documents.some((document) => document.stopped),
    unasked: documents.reduce((sum, { unasked }) => sum + unasked, 0),
    custom: documents.reduce((sum, { custom }) => sum + custom, 0),
    ms: Math.round(budget.elapsedMs() - startedAt),
  };
}

async function walkFrame(budget: Budget, session: CdpSession, worlds: Worlds, frame: FrameInfo, ms: number): Promise<WalkedDocument> {
  const contextId = await worlds.of(budget, frame);
  const { result } = await session.send('Runtime.evaluate', {
    expression: scriptFor(ms),
    contextId,
    serializationOptions: { serialization: 'deep', maxDepth: 1, additionalParameters: { maxNodeDepth: 0, includeShadowTree: 'none' } },
    objectGroup: GROUP,
  });
  const [text, ...elements] = answerSchema.parse(result.deepSerializedValue).value;
  const { nodes, stopped } = walkSchema.parse(JSON.parse(text.value));
  const ids = elements.map((element) => element.value.backendNodeId);
  const { listening, unasked } = await listeningAmong(session, nodes, ids);
  await session.sendMayFail('Runtime.releaseObjectGroup', { objectGroup: GROUP });
  const dom = nodes.map((node, index) => domNode(node, index, ids, node.e !== undefined && listening.has(node.e)));
  const custom = nodes.filter(({ f }) => (f & page.FLAGS.custom) !== 0).length;
  return { dom: { frameId: frame.frameId, nodes: dom, viewport: undefined }, stopped, unasked, custom };
}

/** They react by nature, or are known by their cursor: nothing more is learned from their listeners. */
const KNOWN = new Set(['html', 'head', 'body', 'script', 'style', 'a', 'button', 'input', 'select', 'textarea', 'option', 'label', 'summary', 'iframe', 'frame']);
const PRESSES = new Set(['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup']);

/**
 * Which of the elements, by their index `e`, listen for presses. An element is asked for as the page's own world has it: in other worlds
 * neither `getEventListeners` nor this method, at its depth of one, sees the page's listeners (Chromium 156).
 */
async function listeningAmong(session: CdpSession, nodes: readonly Walked[], ids: readonly number[]): Promise<{ readonly listening: ReadonlySet<number>; readonly unasked: number }> {
  const silent = nodes.flatMap(({ e, t, f }) => (e === undefined || KNOWN.has(t) || (f & page.FLAGS.pointer) !== 0 || (f & page.FLAGS.visible) === 0 ? [] : [e]));
  const asked = silent.slice(0, LIMITS.listeners).map(async (e) => {
    const node = await session.sendMayFail('DOM.resolveNode', { backendNodeId: ids[e] ?? 0, objectGroup: GROUP });
    const objectId = node?.object.objectId;
    const answer = objectId === undefined ? undefined : await session.sendMayFail('DOMDebugger.getEventListeners', { objectId });
    return answer?.listeners.some(({ type }) => PRESSES.has(type)) === true ? [e] : [];
  });
  return { listening: new Set((await Promise.all(asked)).flat()), unasked: silent.length - asked.length };
}

function scriptFor(ms: number): string {
  const { walkInView, hitTest, walkElement, countsUnseen, reachesView, childrenInView, around, isStacked, firstBelowTop, noteText, noteElement, flagsOf, attributesOf, labelOf, textOf, property } = page;
  const helpers = [hitTest, walkElement, countsUnseen, reachesView, childrenInView, around, isStacked, firstBelowTop, noteText, noteElement, flagsOf, attributesOf, labelOf, textOf, property];
  return pageScript(walkInView, helpers, [LIMITS.nodes, ms]);
}

function domNode(node: Walked, index: number, ids: readonly number[], listens: boolean): DomNode {
  return {
    parent: node.p < index ? node.p : -1,
    tag: node.t,
    text: node.x ?? '',
    attributes: new Map(Object.entries(node.a ?? {})),
    backendNodeId: node.e === undefined ? undefined : ids[node.e],
    value: node.v,
    checked: (node.f & page.FLAGS.checked) !== 0,
    selected: (node.f & page.FLAGS.selected) !== 0,
    listens,
    pointer: (node.f & page.FLAGS.pointer) !== 0,
    inline: (node.f & page.FLAGS.inline) !== 0,
    visible: (node.f & page.FLAGS.visible) !== 0,
    internal: false,
    box: undefined,
    contentDocument: undefined,
    labelText: node.l,
  };
}

function placeFrames(document: DomDocument, inner: ReadonlyMap<number, number>): DomDocument {
  const nodes = document.nodes.map((node) => {
    const contentDocument = node.backendNodeId === undefined ? undefined : inner.get(node.backendNodeId);
    return contentDocument === undefined ? node : { ...node, contentDocument };
  });
  return { ...document, nodes };
}
