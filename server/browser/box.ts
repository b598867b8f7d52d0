import type { Budget } from '@/lib/budget/budget';
import { cornersOf } from '@/lib/geometry/bounds';
import type { Box } from '@/lib/protocol/catalog';
import { WheelhouseError } from '@/lib/errors/error';
import { FramePath } from './target/frame-path';
import type { PageElement } from './target/element';
import { rectSchema } from './target/probed';
import { resolveTarget } from './target/resolve';
import type { TargetTab } from './target/ports';

/**
 * The present box of an element in any frame, in CSS pixels of the tab's viewport; undefined when it has no box. Throws
 * REF_UNKNOWN, REF_STALE_DOCUMENT.
 */
export async function boxOf(budget: Budget, tab: TargetTab, ref: string): Promise<Box | undefined> {
  try {
    const element = await resolveTarget(budget, tab, { by: 'ref', ref });
    try {
      return await boxOfElement(budget, tab, element);
    } finally {
      element.release();
    }
  } catch (error) {
    if (error instanceof WheelhouseError && error.code === 'NODE_GONE') return undefined;
    throw error;
  }
}

/** Like `boxOf`, for an element that the caller holds. */
export async function boxOfElement(budget: Budget, tab: TargetTab, element: PageElement): Promise<Box | undefined> {
  const path = await FramePath.from(budget, tab, element.world.frameId);
  try {
    const [rect, places] = await Promise.all([
      element.ask(budget, rectSchema, 'boxes', 'around'),
      path.measure(budget),
    ]);
    if (!places || (rect.width === 0 && rect.height === 0)) return undefined;
    return around(cornersOf(rect).map((corner) => path.outward(places, corner)));
  } finally {
    path.release();
  }
}

function around(corners: readonly { readonly x: number; readonly y: number }[]): Box {
  const xs = corners.map(({ x }) => x);
  const ys = corners.map(({ y }) => y);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}
