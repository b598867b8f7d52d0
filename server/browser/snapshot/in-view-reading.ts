import type { Budget } from '@/lib/budget/budget';
import type { DomDocument, DomNode } from '@/lib/snapshot/dom-document';
import type { CdpSession } from '@/server/cdp/session';
import { openRoots } from './closed-roots';
import { readFrames, type FrameInfo } from './frames';
import { walk, type DescribedNode } from './in-view-walk';
import { readInternals } from './internals';
import { listeningAmong } from './click-listeners';
import { FLAGS } from './page/in-view';
import type { ReaderWorlds } from './reader-worlds';

/**
 * Limits of a reading: nodes of one document, milliseconds for one document's walk, for reading its listeners and for
 * its closed shadow roots; then the number of subframes and the milliseconds of each.
 */
const LIMITS = { nodes: 2_500, listeningMs: 1_500, rootsMs: 3_000, ms: 1_200, innerFrames: 8, innerMs: 400 } as const;

const GROUP = 'wheelhouse-view';

/** The size of the page, and the milliseconds that reading it must not exhaust. */
export interface LargePage {
  readonly elements: number;
  readonly patienceMs: number;
}

/** What is not in a reading. */
export interface UnreadContent {
  /** Whether the walk left out some of what is in view: it was too much, or took too long. */
  readonly stopped: boolean;
  /** Number of elements in view whose click listeners were not read for lack of time. */
  readonly unasked: number;
  /** Number of custom elements in view whose `ElementInternals` were not read. */
  readonly silent: number;
  /** Number of closed shadow roots in view that were not read. */
  readonly unopened: number;
}

export interface InViewReading extends UnreadContent {
  readonly dom: readonly DomDocument[];
  readonly after: readonly FrameInfo[];
  readonly ms: number;
}

interface WalkedDocument extends UnreadContent {
  readonly dom: DomDocument;
}

/**
 * Reads the visible part of a page of any size in bounded time (SN10): one walk inside each document, in its own world.
 * CDP: `DOM.getFrameOwner`.
 */
export async function readInView(
  budget: Budget,
  session: CdpSession,
  worlds: ReaderWorlds,
  frames: readonly FrameInfo[],
  page: LargePage,
): Promise<InViewReading> {
  const startedAt = budget.elapsedMs();
  const read = frames.slice(0, LIMITS.innerFrames + 1);
  const [documents, owners] = await budget.during('what is in view', () =>
    Promise.all([
      Promise.all(
        read.map(async (frame, index) =>
          walkFrame(budget, session, await worlds.of(budget, frame), frame, {
            ...page,
            ms: Math.min(page.patienceMs / 4, index === 0 ? LIMITS.ms : LIMITS.innerMs),
          }),
        ),
      ),
      Promise.all(read.slice(1).map((frame) => session.sendMayFail('DOM.getFrameOwner', { frameId: frame.frameId }))),
    ]),
  );
  const inner = new Map(owners.map((owner, index) => [owner?.backendNodeId ?? -1, index + 1]));
  const sum = (count: (document: UnreadContent) => number): number =>
    documents.reduce((all, document) => all + count(document), 0);
  return {
    dom: documents.map(({ dom }) => placeFrames(dom, inner)),
    after: await readFrames(budget, session),
    stopped: documents.some(({ stopped }) => stopped),
    unasked: sum(({ unasked }) => unasked),
    silent: sum(({ silent }) => silent),
    unopened: sum(({ unopened }) => unopened),
    ms: Math.round(budget.elapsedMs() - startedAt),
  };
}

async function walkFrame(
  budget: Budget,
  session: CdpSession,
  contextId: number,
  frame: FrameInfo,
  page: LargePage & { readonly ms: number },
): Promise<WalkedDocument> {
  const objectGroup = `${GROUP} ${frame.frameId}`;
  const whole = await walk(session, { contextId }, { nodes: LIMITS.nodes, ms: page.ms }, objectGroup);
  const rootsEndAt = budget.elapsedMs() + Math.min(LIMITS.rootsMs, page.patienceMs / 4);
  let left: number = LIMITS.nodes - whole.nodes.length;
  const { nodes, stopped, unopened } = await openRoots(session, whole, {
    contextId,
    objectGroup,
    left: () => ({ nodes: left, ms: Math.min(page.ms, rootsEndAt - budget.elapsedMs()) }),
    wrote: (count) => void (left -= count),
  });
  const listeningEndsAt = budget.elapsedMs() + Math.min(LIMITS.listeningMs, page.patienceMs / 4);
  const { listening, unasked } = await listeningAmong(
    session,
    nodes,
    objectGroup,
    () => budget.elapsedMs() < listeningEndsAt,
  );
  await session.sendMayFail('Runtime.releaseObjectGroup', { objectGroup });
  const { said, unasked: silent } = await readInternals(budget, session, nodes, page);
  const dom = nodes.map((one) => domNode(one, listening, said));
  return { dom: { frameId: frame.frameId, nodes: dom, viewport: undefined }, stopped, unasked, silent, unopened };
}

function domNode(
  { node, parent, backendNodeId }: DescribedNode,
  listening: ReadonlySet<number>,
  said: ReadonlyMap<number, ReadonlyMap<string, string>>,
): DomNode {
  const has = (flag: number): boolean => (node.f & flag) !== 0;
  return {
    parent,
    tag: node.t,
    text: node.x ?? '',
    attributes: new Map([...Object.entries(node.a ?? {}), ...(said.get(backendNodeId ?? -1) ?? [])]),
    backendNodeId,
    value: node.v,
    checked: has(FLAGS.checked),
    selected: has(FLAGS.selected),
    listens: backendNodeId !== undefined && listening.has(backendNodeId),
    pointer: has(FLAGS.pointer),
    dots: has(FLAGS.dots),
    inline: has(FLAGS.inline),
    visible: has(FLAGS.visible),
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
