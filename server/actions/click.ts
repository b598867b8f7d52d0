import type { ActionOf, Point } from '@/lib/actions/kinds';
import { settleModifiers } from '@/lib/input/modifiers';
import type { PageElement } from '@/server/browser/target/element';
import { type ElementContext, withElement, optionalElement } from './resolved-target';
import { defineAction, type HandlerResult } from './context';
import { pressSending } from './submit-press';
import { atTarget } from './at-target';
import { z } from 'zod';
import { askedRole } from '@/lib/snapshot/roles';
import { makeActionable } from '@/server/browser/target/actionable';
import type { ElementTarget } from '@/server/browser/target/resolve';
import { chooseNative, nativeOptions } from './select';

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

const CHOSEN =
  'The list of a native select is drawn outside the page: the option was chosen as the select action does.';

/**
 * A click on an option of a native select chooses it, as a click in its list would. Undefined for all other elements.
 */
async function clickOption(context: ElementContext, action: ActionOf<'click'>): Promise<HandlerResult | undefined> {
  const target = optionalElement(action);
  if (!target || (action.button ?? 'left') !== 'left' || !isOption(context, target)) return undefined;
  return withElement(context, target, async (option) => {
    const list = await option.other(context.budget, 'forms', 'listOf');
    if (!list) return undefined;
    const index = await option.ask(context.budget, z.int(), 'forms', 'indexOf');
    const found = { find: async () => list, again: async () => list };
    const { element, warnings } = await makeActionable(context.budget, context.write, context.tab, found, {
      enabled: true,
      hitTest: false,
      force: action.force,
    });
    try {
      const native = await element.ask(context.budget, nativeOptions, 'forms', 'options');
      if (!native) return undefined;
      await chooseNative(context, { values: [String(index)], by: 'index' }, element, native);
      return { via: option.via, warnings: [...warnings, CHOSEN] };
    } finally {
      element.release();
    }
  });
}

/** As far as its role tells, without asking the page. Throws REF_UNKNOWN, REF_STALE_DOCUMENT. */
function isOption({ tab }: ElementContext, target: ElementTarget): boolean {
  if (target.by === 'ref') return tab.refs.lookup(target.ref).role === 'option';
  return target.by === 'role' && askedRole(target.role) === 'option';
}
