import type { CdpSession } from '@/server/cdp/session';
import type { DescribedNode } from './in-view-walk';
import { FLAGS } from './page/in-view';

/** Elements whose listeners need not be read: they are interactive by nature, or cannot be. */
const KNOWN = new Set([
  'html',
  'head',
  'body',
  'script',
  'style',
  'a',
  'button',
  'input',
  'select',
  'textarea',
  'option',
  'label',
  'summary',
  'iframe',
  'frame',
]);
const PRESSES = new Set(['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup']);
/** Elements that are asked for at once; the batches left when time is over are skipped. */
const BATCH = 200;

export interface ClickListeners {
  /** Node ids. */
  readonly listening: ReadonlySet<number>;
  /** Number of elements that were not asked for lack of time. */
  readonly unasked: number;
}

/**
 * Finds the elements that listen for presses, asked in the order of the page while `isTime`. Each element is resolved
 * in the page's own world: in other worlds neither `getEventListeners` nor this method at depth one sees the page's
 * listeners (Chromium 156). The depth is never greater (docs/chrome-facts.md, Accessibility and DOM). CDP:
 * `DOM.resolveNode`, `DOMDebugger.getEventListeners`.
 */
export async function listeningAmong(
  session: CdpSession,
  nodes: readonly DescribedNode[],
  objectGroup: string,
  isTime: () => boolean,
): Promise<ClickListeners> {
  const silent = nodes.flatMap(({ node: { t, f }, backendNodeId }) =>
    backendNodeId === undefined || KNOWN.has(t) || (f & FLAGS.pointer) !== 0 || (f & FLAGS.visible) === 0
      ? []
      : [backendNodeId],
  );
  const listening = new Set<number>();
  let asked = 0;
  for (; asked < silent.length && isTime(); asked += BATCH) {
    const batch = silent.slice(asked, asked + BATCH);
    const answers = await Promise.all(batch.map((id) => listens(session, id, objectGroup)));
    batch.forEach((id, index) => void (answers[index] === true && listening.add(id)));
  }
  return { listening, unasked: Math.max(0, silent.length - asked) };
}

async function listens(session: CdpSession, backendNodeId: number, objectGroup: string): Promise<boolean> {
  const node = await session.sendMayFail('DOM.resolveNode', { backendNodeId, objectGroup });
  const objectId = node?.object.objectId;
  const answer =
    objectId === undefined ? undefined : await session.sendMayFail('DOMDebugger.getEventListeners', { objectId });
  return answer?.listeners.some(({ type }) => PRESSES.has(type)) === true;
}
