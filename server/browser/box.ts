import type { Budget } from '@/lib/budget/budget';
import type { Box } from '@/lib/protocol/catalog';
import type { Tab } from './tab';

/** Where an element is now, CSS pixels of the viewport; undefined when it has no box. Source: DOM.getBoxModel. Throws REF_UNKNOWN, REF_STALE_DOCUMENT. */
export async function boxOf(budget: Budget, tab: Tab, ref: string): Promise<Box | undefined> {
  const { backendNodeId } = tab.refs.lookup(ref);
  const answer = await budget.race(tab.sessions.bulk.sendMayFail('DOM.getBoxModel', { backendNodeId }));
  if (!answer) return undefined;
  const { border, width, height } = answer.model;
  const [x = 0, y = 0] = border;
  return { x, y, width, height };
}
