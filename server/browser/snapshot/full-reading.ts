import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError, messageOf } from '@/lib/errors/error';
import type { AxNodeLike } from '@/lib/snapshot/ax-node';
import type { DomDocument } from '@/lib/snapshot/dom-document';
import { readDomSnapshot, SNAPSHOT_STYLES } from '@/lib/snapshot/dom-snapshot';
import type { CdpSession } from '@/server/cdp/session';
import { readFrames, type FrameInfo } from './frames';

/** What Chrome answered; each part may have failed by itself. */
export interface FullReading {
  /** By frame id; the main document is missing when accessibility failed. */
  readonly ax: ReadonlyMap<string, readonly AxNodeLike[]>;
  readonly axFailure: string | undefined;
  /** Undefined when the DOM pass failed. */
  readonly dom: readonly DomDocument[] | undefined;
  readonly domFailure: string | undefined;
  /** The frames after everything was read: only documents that were there before and after are to be used. */
  readonly after: readonly FrameInfo[];
  /** Event listeners of the process, counted before the rest was read. */
  readonly listeners: number;
  /** Milliseconds until each part was answered. */
  readonly ms: { readonly ax: number; readonly dom: number };
}

/**
 * Reads a page whole: accessibility of each document and one DOM pass over all of them, sent together, so that the renderer works on the
 * second while the first is on its way. CDP: `Accessibility.getFullAXTree`, `DOMSnapshot.captureSnapshot`.
 * Throws what ended the budget or the session; a refusal of Chrome only fails its part.
 */
export async function readFull(budget: Budget, session: CdpSession, frames: readonly FrameInfo[]): Promise<FullReading> {
  const startedAt = budget.elapsedMs();
  const elapsed = (): number => Math.round(budget.elapsedMs() - startedAt);
  const [counters, ax, snapshot, after] = await budget.during('accessibility tree and DOM', () =>
    Promise.all([
      session.sendMayFail('Memory.getDOMCounters'),
      Promise.all(frames.map((frame) => attempt(axOf(session, frame), elapsed))),
      attempt(session.send('DOMSnapshot.captureSnapshot', { computedStyles: [...SNAPSHOT_STYLES] }), elapsed),
      readFrames(budget, session),
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
    dom: snapshot.value && readDomSnapshot(snapshot.value),
    domFailure: snapshot.failure,
    after,
    listeners: counters?.jsEventListeners ?? -1,
    ms: { ax: ax.reduce((latest, part) => Math.max(latest, part.ms), 0), dom: snapshot.ms },
  };
}

async function axOf(session: CdpSession, frame: FrameInfo): Promise<readonly AxNodeLike[]> {
  const { nodes } = await session.send('Accessibility.getFullAXTree', { frameId: frame.frameId });
  return nodes;
}

interface Attempt<T> {
  readonly value: T | undefined;
  readonly failure: string | undefined;
  readonly ms: number;
}

async function attempt<T>(work: Promise<T>, elapsed: () => number): Promise<Attempt<T>> {
  try {
    const value = await work;
    return { value, failure: undefined, ms: elapsed() };
  } catch (error) {
    if (error instanceof WheelhouseError) throw error;
    return { value: undefined, failure: messageOf(error), ms: elapsed() };
  }
}
