import { z } from 'zod';
import type { ActionOf } from '@/lib/actions/kinds';
import type { ListOption } from '@/lib/input/options';
import type { PageElement } from '@/server/browser/target/element';
import { chooseFromList } from './choose-from-list';
import { elementTarget, focusOn, onElement, reportSecrecy, type ElementContext } from './resolved-target';
import { defineAction, type HandlerResult } from './context';
import { optionIndexes, tooMany } from './option-indexes';

export const select = defineAction({ kind: 'select', settles: true, queued: true, run: runSelect });

const choice = z.object({ value: z.string(), label: z.string(), disabled: z.boolean() });
export const nativeOptions = z.object({ multiple: z.boolean(), options: z.array(choice) }).nullable();

async function runSelect(context: ElementContext, action: ActionOf<'select'>): Promise<HandlerResult> {
  return onElement(
    context,
    elementTarget(action),
    { enabled: true, aim: false },
    async ({ element, facts, warnings }) => {
      await reportSecrecy(context, element, action.values.join(' '));
      const native = await element.ask(context.budget, nativeOptions, 'forms', 'options');
      const chosen = native
        ? await chooseNative(context, action, element, native)
        : await chooseFromList(context, action, element, facts);
      return { via: element.via, value: { selected: chosen }, warnings };
    },
  );
}

/**
 * A native select is set with the events of a change: its popup is drawn outside the page, where clicks do not reach it
 * (cdp-facts).
 */
export async function chooseNative(
  context: ElementContext,
  action: Pick<ActionOf<'select'>, 'values' | 'by'>,
  element: PageElement,
  native: { multiple: boolean; options: ListOption[] },
): Promise<string[]> {
  if (!native.multiple && action.values.length > 1) throw tooMany(element);
  const indexes = optionIndexes(element, native.options, action);
  await focusOn(context, element);
  await element.change(context.budget, context.write, z.boolean(), 'forms', 'choose', { value: indexes });
  return indexes.map((index) => native.options[index]?.label ?? '');
}
