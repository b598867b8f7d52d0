import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError, messageOf } from '@/lib/errors/error';
import type { AxNodeLike } from '@/lib/snapshot/ax-node';
import type { CoveredNode } from '@/lib/snapshot/covered';
import type { DomDocument } from '@/lib/snapshot/dom-document';
import { readDomSnapshot, SNAPSHOT_STYLES } from '@/lib/snapshot/dom-snapshot';
import type { CdpSession } from '@/server/cdp/session';
import { readCounters, type PageCounters } from './counters';
import { readFrames, type FrameInfo } from './frames';
import { PressListeners } from './press-listeners';

/** What to read beside the page, and what to make of the DOM pass. */
export interface ParallelReads<Made> {
  /**
   * Reads the covered elements. Sent last: the renderer does it while the accessibility tree is on its way to the
   * server.
   */
  readonly covered: () => Promise<readonly CoveredNode[]>;
  /** Object id of the document whose listeners are noted, where that works without a DOM pass. */
  readonly listened: string | undefined;
  /** Called as soon as the DOM pass has arrived. */
  readonly make: (dom: readonly DomDocument[]) => Made;
}

/** Chrome's answers; each part may have failed by itself. */
export interface FullReading<Made> {
  /** By frame id; the main document is missing when accessibility failed. */
  readonly ax: ReadonlyMap<string, readonly AxNodeLike[]>;
  readonly axFailure: string | undefined;
  /** Undefined when the DOM pass failed. */
  readonly dom: { readonly documents: readonly DomDocument[]; readonly made: Made } | undefined;
  readonly domFailure: string | undefined;
  /** The frames after everything was read: only documents that are in both lists may be used. */
  readonly after: readonly FrameInfo[];
  /** Counted before the rest was read. */
  readonly counters: PageCounters;
  /** Noted before the DOM pass. */
  readonly listeners: PressListeners | undefined;
  readonly covered: readonly CoveredNode[];
  /** Milliseconds until each part was answered. */
  readonly ms: { readonly ax: number; readonly dom: number };
}

/**
 * Reads a page whole: accessibility of each document, then one DOM pass over all, sent together. Chrome serializes the
 * trees, and the server parses them, while the renderer makes the DOM pass. CDP: `Accessibility.getFullAXTree`,
 * `DOMSnapshot.captureSnapshot`. Throws what ended the budget or the session; an error of Chrome only fails its part.
 */
export async function readFull<Made>(
  budget: Budget,
  session: CdpSession,
  frames: readonly FrameInfo[],
  beside: ParallelReads<Made>,
): Promise<FullReading<Made>> {
  const startedAt = budget.elapsedMs();
  const elapsed = (): number => Math.round(budget.elapsedMs() - startedAt);
  const { listened } = beside;
  const [counters, ax, listeners, dom, after, covered] = await budget.during('accessibility tree and DOM', () =>
    Promise.all([
      readCounters(session),
      Promise.all(frames.map((frame) => attempt(axOf(session, frame), elapsed))),
      listened === undefined ? undefined : PressListeners.noted(session, listened),
      attempt(domOf(session, beside), elapsed),
      readFrames(budget, session),
      beside.covered(),
    ]),
  );
  const axByFrame = new Map<string, readonly AxNodeLike[]>();
  frames.forEach((frame, index) => {
    const nodes = ax[index]?.value;
    if (nodes) axByFrame.set(frame.frameId, nodes);
  });
  return {
    ax: axByFrame,
    axFailure: ax[0]?.failure,
    dom: dom.value,
    domFailure: dom.failure,
    after,
    counters,
    listeners,
    covered,
    ms: { ax: ax.reduce((latest, part) => Math.max(latest, part.ms), 0), dom: dom.ms },
  };
}

async function domOf<Made>(
  session: CdpSession,
  { make }: ParallelReads<Made>,
): Promise<{ documents: readonly DomDocument[]; made: Made }> {
  const documents = readDomSnapshot(
    await session.send('DOMSnapshot.captureSnapshot', { computedStyles: [...SNAPSHOT_STYLES] }),
  );
  return { documents, made: make(documents) };
}

async function axOf(session: CdpSession, frame: FrameInfo): Promise<readonly AxNodeLike[]> {
  const { nodes } = await session.send('Accessibility.getFullAXTree', { frameId: frame.frameId });
  return nodes;
}

interface ReadAttempt<T> {
  readonly value: T | undefined;
  readonly failure: string | undefined;
  readonly ms: number;
}

async function attempt<T>(work: Promise<T>, elapsed: () => number): Promise<ReadAttempt<T>> {
  try {
    const value = await work;
    return { value, failure: undefined, ms: elapsed() };
  } catch (error) {
    if (error instanceof WheelhouseError) throw error;
    return { value: undefined, failure: messageOf(error), ms: elapsed() };
  }
}
