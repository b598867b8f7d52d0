import { targetOf } from '@/lib/actions/shared';
import type { ActionOf, Point } from '@/lib/actions/kinds';
import { WheelhouseError } from '@/lib/errors/error';
import { makeActionable } from '@/server/browser/target/actionable';
import { pointOf, elementAt, type ElementContext } from './resolved-target';
import { defineAction, type ResolvedTarget, type HandlerResult } from './context';

/** Moves between press and release, unless the caller says how many: enough for a page that watches the way. */
const STEPS = 10;

export const drag = defineAction({ kind: 'drag', settles: true, queued: true, run: runDrag });

type DragEndpoint = ActionOf<'drag'>['from'];

/** One end of the drag: its point, how it was found, and the warnings of the checks. */
interface DragEnd extends Pick<HandlerResult, 'via' | 'warnings'> {
  readonly point: Point;
  readonly resolved: ResolvedTarget;
}

async function runDrag(context: ElementContext, action: ActionOf<'drag'>): Promise<HandlerResult> {
  const { tab, write, budget } = context;
  // Looked for before anything is pressed: a drag that cannot end must not begin.
  await place(context, action.to, action.force);
  const from = await place(context, action.from, action.force);
  context.noteTarget(from.resolved);
  try {
    await budget.during('press what is dragged', () => tab.input.dragging.begin(write, budget, from.point));
    const to = await place(context, action.to, action.force);
    for (const point of way(from.point, to.point, action.steps ?? STEPS)) {
      if ((await tab.input.dragging.move(write, budget, point)) === 'dialog')
        return { warnings: ['A dialog opened in the middle of the drag.'] };
    }
    const by = await budget.during('let go', () => tab.input.dragging.drop(write, budget, to.point));
    return { via: from.via, value: { by }, warnings: [...(from.warnings ?? []), ...(to.warnings ?? [])] };
  } catch (error) {
    // When this is refused too, a takeover releases the button (I6).
    await tab.input.releaseAll(write).catch(() => undefined);
    throw error;
  }
}

async function place(context: ElementContext, end: DragEndpoint, force: boolean | undefined): Promise<DragEnd> {
  const target = targetOf(end);
  if (!target)
    throw new WheelhouseError('BAD_REQUEST', 'A drag needs both its ends.', {
      details: { fields: [{ field: 'from', problem: 'is missing' }] },
    });
  if (target.by === 'point') return { point: target.at, resolved: await elementAt(context, target.at), via: 'point' };
  const { budget, write, tab } = context;
  const aimed = await makeActionable(budget, write, tab, target, { enabled: true, force });
  aimed.element.release();
  const point = pointOf(aimed);
  return { point, resolved: { element: aimed.element.about, point }, via: aimed.element.via, warnings: aimed.warnings };
}

/** Points from one end to the other, the last one included. */
function way(from: Point, to: Point, steps: number): Point[] {
  return Array.from({ length: steps }, (_, index) => {
    const part = (index + 1) / steps;
    return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
  });
}
