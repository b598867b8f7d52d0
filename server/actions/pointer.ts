import { targetOf, type Target } from '@/lib/actions/shared';
import type { ActionOf, Point } from '@/lib/actions/kinds';
import { WheelhouseError } from '@/lib/errors/error';
import { settleModifiers } from '@/lib/input/modifiers';
import type { PageElement } from '@/server/browser/target/element';
import { elementTarget, focusOn, onElement, pointOf, elementAt, type ElementContext } from './resolved-target';
import { clickOption } from './click-option';
import { defineAction, type HandlerResult } from './context';
import { pressSending } from './submit-press';

export const click = defineAction({
  kind: 'click',
  settles: true,
  queued: true,
  run: async (context, action) =>
    (await clickOption(context, action)) ??
    atTarget(context, action, { enabled: true, force: action.force }, (point, element) =>
      pressed(context, action, point, element),
    ),
});

export const hover = defineAction({
  kind: 'hover',
  settles: true,
  queued: true,
  run: (context, action) =>
    atTarget(context, action, { force: action.force }, async (point) => {
      await context.tab.input.hover(context.write, context.budget, point);
      return [];
    }),
});

export const focus = defineAction({
  kind: 'focus',
  settles: false,
  queued: true,
  run: (context, action) =>
    onElement(context, elementTarget(action), { enabled: true, aim: false }, async ({ element, warnings }) => {
      if (await focusOn(context, element)) return { via: element.via, warnings };
      throw new WheelhouseError('WRONG_ELEMENT', `${element.title} cannot have the keyboard focus.`, {
        details: { target: element.about },
      });
    }),
});

async function press({ tab, write, budget }: ElementContext, action: ActionOf<'click'>, point: Point): Promise<void> {
  const count = action.count ?? (action.doubleClick === true ? 2 : 1);
  const modifiers = settleModifiers(action.modifiers ?? [], tab.input.mac);
  const { button, holdMs, delayMs } = action;
  await budget.during(`press at ${Math.round(point.x)}, ${Math.round(point.y)}`, () =>
    tab.input.click(write, budget, point, { button, count, modifiers, holdMs, delayMs }),
  );
}

/** A press with the main button may send a form. */
async function pressed(
  context: ElementContext,
  action: ActionOf<'click'>,
  point: Point,
  element: PageElement | undefined,
): Promise<string[]> {
  const act = (): Promise<void> => press(context, action, point);
  if (element && (action.button ?? 'left') === 'left') return pressSending(context, element, act);
  await act();
  return [];
}

interface PointerOptions {
  readonly enabled?: boolean;
  readonly force: boolean | undefined;
}

/** Done at a point, on the element that was aimed at; undefined for a bare point. Gives warnings. */
type PointerWork = (point: Point, element: PageElement | undefined) => Promise<string[]>;

async function atTarget(
  context: ElementContext,
  action: ActionOf<'click'> | ActionOf<'hover'>,
  wish: PointerOptions,
  work: PointerWork,
): Promise<HandlerResult> {
  const target: Target | undefined = targetOf(action);
  if (target?.by === 'point') return atPoint(context, target.at, work);
  return onElement(context, elementTarget(action), wish, async (aimed) => {
    const told = await work(pointOf(aimed), aimed.element);
    const drawnOutside =
      action.kind === 'click' && aimed.facts.tag === 'select'
        ? ['The list of a native select is drawn outside the page: choose with the select action.']
        : [];
    return { via: aimed.element.via, warnings: [...aimed.warnings, ...drawnOutside, ...told] };
  });
}

/** A bare point is used as it is, after a look that it lies in the viewport; what is there is only told. */
async function atPoint(context: ElementContext, at: Point, work: PointerWork): Promise<HandlerResult> {
  context.noteTarget(await elementAt(context, at));
  await work(at, undefined);
  return { via: 'point' };
}
