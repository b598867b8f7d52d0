import { z } from 'zod';
import type { ActionOf } from '@/lib/actions/kinds';
import { askedRole } from '@/lib/snapshot/roles';
import { makeActionable } from '@/server/browser/target/actionable';
import type { ElementTarget } from '@/server/browser/target/resolve';
import { withElement, optionalElement, type ElementContext } from './resolved-target';
import type { HandlerResult } from './context';
import { chooseNative, nativeOptions } from './select';

const CHOSEN =
  'The list of a native select is drawn outside the page: the option was chosen as the select action does.';

/**
 * A click on an option of a native select chooses it, as a press in its list does. Undefined for what is no such
 * option.
 */
export async function clickOption(
  context: ElementContext,
  action: ActionOf<'click'>,
): Promise<HandlerResult | undefined> {
  const target = optionalElement(action);
  if (!target || (action.button ?? 'left') !== 'left' || !isOption(context, target)) return undefined;
  return withElement(context, target, async (option) => {
    const list = await option.other(context.budget, 'forms', 'listOf');
    if (!list) return undefined;
    const index = await option.ask(context.budget, z.int(), 'forms', 'indexOf');
    const found = { find: async () => list, again: async () => list };
    const { element, warnings } = await makeActionable(context.budget, context.write, context.tab, found, {
      enabled: true,
      aim: false,
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
