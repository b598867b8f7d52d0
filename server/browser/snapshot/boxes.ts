import type { Budget } from '@/lib/budget/budget';
import { boxAround, pointsOf } from '@/lib/geometry/bounds';
import type { Box } from '@/lib/protocol/catalog';
import type { CdpSession } from '@/server/cdp/session';
import type { RefEntry, RefTable } from '../refs';
import { inVisibleFrame, type VisibleFrameTab } from './visible-frame';

export interface BoxSource {
  readonly session: CdpSession;
  readonly targetId: string;
  readonly refs: RefTable;
  readonly inside?: VisibleFrameTab | undefined;
}

/** Most elements of one answer that are measured. */
const MOST_BOXES = 2_000;

/**
 * Measures where elements are now, by ref without the frame label. Leaves out elements without a box and those that a
 * frame of another process does not show. CSS pixels of the viewport. Source: DOM.getContentQuads, all requested at
 * once.
 */
export async function readBoxes(
  budget: Budget,
  { session, targetId, refs: table, inside }: BoxSource,
  refs: readonly { readonly ref: string }[],
): Promise<Map<string, Box>> {
  const wanted = refs.slice(0, MOST_BOXES).map(({ ref }) => table.lookup(ref));
  // Node ids are unique per process only, so elements of out-of-process frames are measured on their own targets.
  const others = [...new Set(wanted.map((entry) => entry.targetId))].filter((target) => target !== targetId);
  const ofTarget = (target: string): RefEntry[] => wanted.filter((entry) => entry.targetId === target);
  const measured = await budget.during('the places of elements', () =>
    Promise.all([
      measure(session, ofTarget(targetId), (points) => points),
      ...others.map((target) => measureInside(budget, inside, target, ofTarget(target))),
    ]),
  );
  return new Map(measured.flat());
}

type Project = (points: ReturnType<typeof pointsOf>) => ReturnType<typeof pointsOf>;

async function measure(session: CdpSession, wanted: readonly RefEntry[], project: Project): Promise<[string, Box][]> {
  const measured = wanted.map(async ({ ref, backendNodeId }): Promise<[string, Box][]> => {
    const answer = await session.sendMayFail('DOM.getContentQuads', { backendNodeId });
    const box = answer && boxAround(project(answer.quads.flatMap((quad) => pointsOf(quad))));
    return box ? [[ref, box]] : [];
  });
  return (await Promise.all(measured)).flat();
}

/**
 * Measures elements of an out-of-process frame: Chrome gives places in the frame's viewport, which are mapped to the
 * tab's.
 */
async function measureInside(
  budget: Budget,
  tab: VisibleFrameTab | undefined,
  targetId: string,
  wanted: readonly RefEntry[],
): Promise<[string, Box][]> {
  const found =
    tab &&
    (await inVisibleFrame(budget, tab, targetId, ({ session, path, places, view }) =>
      measure(session, wanted, (points) => {
        const around = boxAround(points);
        const shown =
          around !== undefined &&
          around.x < view.width &&
          around.y < view.height &&
          around.x + around.width > 0 &&
          around.y + around.height > 0;
        return shown ? points.map((point) => path.outward(places, point)) : [];
      }),
    ));
  return found ?? [];
}
