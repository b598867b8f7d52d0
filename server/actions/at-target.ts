import { targetOf, type Target } from '@/lib/actions/shared';
import type { ActionOf, Point } from '@/lib/actions/kinds';
import type { PageElement } from '@/server/browser/target/element';
import { elementTarget, onElement, pointOf, elementAt, type ElementContext } from './resolved-target';
import type { HandlerResult } from './context';

interface PointerOptions {
  readonly enabled?: boolean;
  readonly force: boolean | undefined;
}

/** Done at a point, on the element that was aimed at; undefined for a bare point. Gives warnings. */
type PointerWork = (point: Point, element: PageElement | undefined) => Promise<string[]>;

export async function atTarget(
  context: ElementContext,
  action: ActionOf<'click'> | ActionOf<'hover'>,
  options: PointerOptions,
  work: PointerWork,
): Promise<HandlerResult> {
  const target: Target | undefined = targetOf(action);
  if (target?.by === 'point') return atPoint(context, target.at, work);
  return onElement(context, elementTarget(action), options, async (aimed) => {
    const told = await work(pointOf(aimed), aimed.element);
    const drawnOutside =
      action.kind === 'click' && aimed.facts.tag === 'select'
        ? ['The list of a native select is drawn outside the page: choose with the select action.']
        : [];
    return { via: aimed.element.via, warnings: [...aimed.warnings, ...drawnOutside, ...told] };
  });
}

/** Uses a bare point as it is if it lies in the viewport; the element at that point is only reported. */
async function atPoint(context: ElementContext, at: Point, work: PointerWork): Promise<HandlerResult> {
  context.noteTarget(await elementAt(context, at));
  await work(at, undefined);
  return { via: 'point' };
}
