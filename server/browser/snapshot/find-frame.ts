import type { Budget } from '@/lib/budget/budget';
import type { CdpSession } from '@/server/cdp/session';
import { noFrame, whichFrame, type NamedFrame } from '../frames/which-frame';
import type { FrameInfo } from './frames';
import type { ReaderWorlds } from './reader-worlds';

export interface FrameSearch {
  readonly session: CdpSession;
  readonly worlds: ReaderWorlds;
  /** The document in which a selector is looked up. */
  readonly main: FrameInfo | undefined;
  /** The subframes that were read. */
  readonly frames: readonly NamedFrame[];
}

/**
 * Returns the id of the subframe that a caller names: by label (`f1`), by a part of its address, or by a selector of
 * its frame element. Throws NODE_GONE when there is none, AMBIGUOUS when several match; both errors list the subframes.
 */
export async function findFrame(budget: Budget, search: FrameSearch, wanted: string): Promise<string> {
  const frameId = whichFrame(search.frames, wanted) ?? (await frameOfSelector(budget, search, wanted));
  if (frameId !== undefined) return frameId;
  throw noFrame(search.frames, wanted);
}

/** Source: DOM.describeNode, which gives the id of the frame that an element holds. */
async function frameOfSelector(
  budget: Budget,
  { session, worlds, main }: FrameSearch,
  selector: string,
): Promise<string | undefined> {
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
