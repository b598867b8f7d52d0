import type { Budget } from '@/lib/budget/budget';
import type { CdpSession } from '@/server/cdp/session';
import type { Frame } from '@/server/cdp/shapes/objects';

/** A frame of the target with the document it holds. */
export interface FrameInfo {
  readonly frameId: string;
  readonly loaderId: string;
  readonly url: string;
}

/** Most frames that are read; further ones stay as lines without content. */
const MAX_FRAMES = 50;

/**
 * The frames of a target: its own first, then its subframes in document order, without frames of other processes. CDP:
 * `Page.getFrameTree`.
 */
export async function readFrames(budget: Budget, session: CdpSession): Promise<readonly FrameInfo[]> {
  const { frameTree } = await budget.during('the list of frames', () => session.send('Page.getFrameTree'));
  const frames: FrameInfo[] = [];
  const waiting = [frameTree];
  for (let next = waiting.pop(); next && frames.length < MAX_FRAMES; next = waiting.pop()) {
    frames.push(infoOf(next.frame));
    waiting.push(...(next.childFrames ?? []).toReversed());
  }
  return frames;
}

function infoOf(frame: Frame): FrameInfo {
  return { frameId: frame.id, loaderId: frame.loaderId, url: `${frame.url}${frame.urlFragment ?? ''}` };
}

/** The frames that hold the same document in both lists. */
export function unchanged(before: readonly FrameInfo[], after: readonly FrameInfo[]): FrameInfo[] {
  const now = new Map(after.map((frame) => [frame.frameId, frame]));
  return before
    .filter((frame) => now.get(frame.frameId)?.loaderId === frame.loaderId)
    .map((frame) => now.get(frame.frameId) ?? frame);
}

/** Whether both lists hold the same documents in the same order. */
export function sameDocuments(a: readonly FrameInfo[], b: readonly FrameInfo[]): boolean {
  return (
    a.length === b.length &&
    a.every((frame, index) => frame.loaderId === b[index]?.loaderId && frame.frameId === b[index]?.frameId)
  );
}
