import type { Budget } from '@/lib/budget/budget';
import type { Box } from '@/lib/protocol/catalog';
import type { CdpSession } from '@/server/cdp/session';
import type { RefTable } from '../refs';

export interface BoxSource {
  readonly session: CdpSession;
  readonly targetId: string;
  readonly refs: RefTable;
}

/** More elements of one answer are not measured. */
const MOST_BOXES = 2_000;

/**
 * Where elements are now, by ref without its frame's label; those that have no box are left out. CSS pixels of the viewport.
 * Source: DOM.getContentQuads, all asked at once.
 */
export async function readBoxes(budget: Budget, { session, targetId, refs: table }: BoxSource, refs: readonly { readonly ref: string }[]): Promise<Map<string, Box>> {
  // Frames of other processes count their nodes by themselves.
  const wanted = refs.slice(0, MOST_BOXES).map(({ ref }) => table.lookup(ref)).filter((entry) => entry.targetId === targetId);
  const boxes = new Map<string, Box>();
  const measured = wanted.map(async ({ ref, backendNodeId }) => {
    const answer = await session.sendMayFail('DOM.getContentQuads', { backendNodeId });
    const box = answer && boxAround(answer.quads);
    if (box) boxes.set(ref, box);
  });
  await budget.during('the places of elements', () => Promise.all(measured));
  return boxes;
}

/** Around all lines of an inline element that is broken over several. Quads are eight numbers, corner by corner. */
function boxAround(quads: readonly (readonly number[])[]): Box | undefined {
  const xs = quads.flatMap((quad) => quad.filter((_, index) => index % 2 === 0));
  const ys = quads.flatMap((quad) => quad.filter((_, index) => index % 2 === 1));
  if (xs.length === 0 || xs.length !== ys.length) return undefined;
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  const box = { x: round(x), y: round(y), width: round(Math.max(...xs) - x), height: round(Math.max(...ys) - y) };
  return box.width > 0 && box.height > 0 ? box : undefined;
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
