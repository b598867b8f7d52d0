import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import type { CdpSession } from '@/server/cdp/session';
import type { FrameInfo } from './frames';
import type { Worlds } from './worlds';

export interface FrameSearch {
  readonly session: CdpSession;
  readonly worlds: Worlds;
  /** The document in which a selector is looked up. */
  readonly main: FrameInfo | undefined;
  /** The subframes that were read. */
  readonly frames: readonly { readonly frameId: string; readonly label: string; readonly url: string }[];
}

const MOST_NAMED = 10;

/**
 * The id of the subframe that a caller means: by label (`f1`), by a part of its address, or by a selector of its frame element.
 * Throws NODE_GONE when none is meant, AMBIGUOUS when several are; both name the frames there are.
 */
export async function findFrame(budget: Budget, search: FrameSearch, wanted: string): Promise<string> {
  const byLabel = search.frames.find(({ label }) => label === wanted);
  if (byLabel) return byLabel.frameId;
  const byUrl = search.frames.filter(({ url }) => url.includes(wanted));
  const [first, second] = byUrl;
  if (first && !second) return first.frameId;
  const shown = `"${wanted.slice(0, 100)}"`;
  if (first) throw new WheelhouseError('AMBIGUOUS', `${byUrl.length} frames have ${shown} in their address.`, { hint: 'Use one of the labels in details.', details: { frames: named(byUrl) } });
  const bySelector = await frameOfSelector(budget, search, wanted);
  if (bySelector !== undefined) return bySelector;
  throw new WheelhouseError('NODE_GONE', `No frame is ${shown}.`, { hint: 'Name it by a label in details, by a part of its address, or by a selector of its frame element.', details: { frames: named(search.frames) } });
}

function named(frames: FrameSearch['frames']): object[] {
  return frames.slice(0, MOST_NAMED).map(({ label, url }) => ({ label, url: url.slice(0, 200) }));
}

/** Source: DOM.describeNode, which tells what frame an element holds. */
async function frameOfSelector(budget: Budget, { session, worlds, main }: FrameSearch, selector: string): Promise<string | undefined> {
  if (!main) return undefined;
  const contextId = await worlds.of(budget, main);
  const expression = `document.querySelector(${JSON.stringify(selector)})`;
  const { result, exceptionDetails } = await budget.race(session.send('Runtime.evaluate', { expression, contextId }));
  if (exceptionDetails || result.objectId === undefined) return undefined;
  const { objectId } = result;
  const { node } = await budget.race(session.send('DOM.describeNode', { objectId }));
  void session.sendMayFail('Runtime.releaseObject', { objectId });
  return node.frameId;
}
