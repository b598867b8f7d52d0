import { z } from 'zod';
import type { Budget } from '@/lib/budget/budget';
import type { CoveredNode } from '@/lib/snapshot/covered';
import { CdpError } from '@/server/cdp/protocol';
import { scriptResult } from '@/server/cdp/script-result';
import type { CdpSession } from '@/server/cdp/session';
import { PageBoxes } from '../target/page/boxes';
import { PageReach } from '../target/page/reach';
import { PageLabelProxies } from '../target/page/label-proxies';
import type { FrameInfo } from './frames';
import { onFramePath, type VisibleFrameTab } from './visible-frame';
import { PageCovers } from './page/covered';
import type { ReaderWorlds } from './reader-worlds';

/**
 * Most documents that are searched, and per document most elements that are tested (a hit test takes a tenth of a
 * millisecond on a page of 1 000 controls) and most milliseconds: on a busy machine 40 were too few for a small page.
 */
const LIMITS = { documents: 6, elements: 40, ms: 120 } as const;
/**
 * On larger pages a single hit test may take a third of a second (Chromium 156), so covered elements are not marked
 * there.
 */
const MOST_NODES = 20_000;

/** Makes the finder once per world, out of the page's reach, and runs it. */
const FIND = `(globalThis.wheelhouseCovers ??= (() => {
  const __name = (value) => value;
  const boxes = new (${PageBoxes.toString()})(new (${PageLabelProxies.toString()})());
  return new (${PageCovers.toString()})(boxes, new (${PageReach.toString()})(boxes));
})()).find(${LIMITS.elements}, ${LIMITS.ms})`;

export interface CoveredPage {
  readonly session: CdpSession;
  readonly worlds: ReaderWorlds;
  readonly frames: readonly FrameInfo[];
  /** The size of the page. */
  readonly nodes: number;
}

/**
 * The limits for a document's watch to find covered elements, number and milliseconds; undefined where it does not look
 * for them. `index`: the document's, in a page of so many nodes.
 */
export function coverLimits(index: number, nodes: number): readonly [number, number] | undefined {
  return index < LIMITS.documents && nodes <= MOST_NODES ? [LIMITS.elements, LIMITS.ms] : undefined;
}

/**
 * Finds the covered elements by frame and node (SN2): one round trip where nothing is covered. Returns none where
 * Chrome refuses. Throws what ends the budget or the session.
 */
export async function readCovered(budget: Budget, page: CoveredPage): Promise<readonly CoveredNode[]> {
  if (page.nodes > MOST_NODES) return [];
  const looked = page.frames.slice(0, LIMITS.documents).map((frame) => coveredIn(budget, page, frame));
  return (await budget.during('what is covered', () => Promise.all(looked))).flat();
}

async function coveredIn(budget: Budget, { session, worlds }: CoveredPage, frame: FrameInfo): Promise<CoveredNode[]> {
  try {
    return await nodesOf(session, frame, await worlds.of(budget, frame), FIND);
  } catch (error) {
    if (error instanceof CdpError) return [];
    throw error;
  }
}

/** The elements that an expression returns in our world of a document. Throws CdpError, and what ended the session. */
async function nodesOf(
  session: CdpSession,
  { frameId }: FrameInfo,
  contextId: number,
  expression: string,
): Promise<CoveredNode[]> {
  const { result } = await session.send('Runtime.evaluate', { expression, contextId });
  const { objectId } = result;
  if (objectId === undefined) return [];
  const { result: entries } = await session.send('Runtime.getProperties', { objectId, ownProperties: true });
  const elements = entries.flatMap(({ name, value }) => (/^\d+$/.test(name) ? (value?.objectId ?? []) : []));
  const nodes = await Promise.all(elements.map((element) => session.send('DOM.describeNode', { objectId: element })));
  for (const held of [objectId, ...elements]) void session.sendMayFail('Runtime.releaseObject', { objectId: held });
  return nodes.map(({ node }) => ({ frameId, backendNodeId: node.backendNodeId }));
}

/** A document in a subframe. */
export interface InnerDocument {
  readonly session: CdpSession;
  readonly worlds: ReaderWorlds;
  readonly frame: FrameInfo;
}

const hitPointsSchema = z.array(z.array(z.object({ x: z.number(), y: z.number() })).max(3)).max(LIMITS.elements);

/**
 * Marks elements of subframes that a parent document covers, together with the frame or a part of it (SN2): each parent
 * document tests the points where `readCovered` tested these elements. Marks nothing in a frame that does not answer in
 * time. Throws what ended the budget.
 */
export async function readOuterCovers(
  budget: Budget,
  tab: VisibleFrameTab,
  documents: readonly InnerDocument[],
): Promise<readonly CoveredNode[]> {
  return (
    await Promise.all(documents.slice(0, LIMITS.documents).map((document) => coversOf(budget, tab, document)))
  ).flat();
}

async function coversOf(
  budget: Budget,
  tab: VisibleFrameTab,
  { session, worlds, frame }: InnerDocument,
): Promise<readonly CoveredNode[]> {
  const found = await onFramePath(budget, tab, frame.frameId, async (path, places, patience) => {
    const contextId = await worlds.of(patience, frame);
    const { result } = await session.send('Runtime.evaluate', {
      expression: 'globalThis.wheelhouseCovers?.hitPoints() ?? []',
      contextId,
      returnByValue: true,
    });
    const hitPoints = scriptResult(hitPointsSchema, result.value);
    if (hitPoints.length === 0) return [];
    const covers = await path.outerCovers(patience, places, hitPoints.flat(), LIMITS.ms);
    const covered = hitPoints.flatMap((points, at) =>
      points.every((_, index) => covers[at * 3 + index] === true) ? [at] : [],
    );
    return covered.length === 0
      ? []
      : nodesOf(session, frame, contextId, `wheelhouseCovers.some(${JSON.stringify(covered)})`);
  });
  return found ?? [];
}
