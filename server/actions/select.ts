import { z } from 'zod';
import type { ActionOf } from '@/lib/actions/kinds';
import { type ListOption, matchOptions } from '@/lib/input/options';
import type { PageElement } from '@/server/browser/target/element';
import { elementTarget, focusOn, onElement, reportSecrecy, type ElementContext, pointOf } from './resolved-target';
import { defineAction, type HandlerResult } from './context';
import { WheelhouseError } from '@/lib/errors/error';
import { parseChord } from '@/lib/input/chord';
import { makeActionable, type Finder } from '@/server/browser/target/actionable';
import type { ElementFacts } from '@/server/browser/target/page/facts';
import type { ListView } from '@/server/browser/target/page/lists';
import { cleanText } from '@/lib/text/clean';

export const select = defineAction({ kind: 'select', settles: true, queued: true, run: runSelect });

const choice = z.object({ value: z.string(), label: z.string(), disabled: z.boolean() });
export const nativeOptions = z.object({ multiple: z.boolean(), options: z.array(choice) }).nullable();

async function runSelect(context: ElementContext, action: ActionOf<'select'>): Promise<HandlerResult> {
  return onElement(
    context,
    elementTarget(action),
    { enabled: true, hitTest: false },
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
 * (docs/chrome-facts.md, Input).
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

/** How long the options of a popup may take to appear, and to change after typing; milliseconds. */
const APPEAR_MS = 1_500;

const listSchema = z.object({
  options: z.array(z.object({ value: z.string(), label: z.string(), disabled: z.boolean() })),
  selected: z.array(z.boolean()),
  multiple: z.boolean(),
  mark: z.string(),
});

type SelectAction = ActionOf<'select'>;
type Wanted = Pick<SelectAction, 'values' | 'by'>;

/**
 * Chooses options of an ARIA listbox or combobox as a person would: opens it by a click, types if it filters, and
 * clicks the options. Options that are already selected stay so. Throws WRONG_ELEMENT for other elements, BAD_REQUEST
 * with a list of the options.
 */
async function chooseFromList(
  context: ElementContext,
  action: SelectAction,
  element: PageElement,
  facts: ElementFacts,
): Promise<string[]> {
  const chosen: string[] = [];
  for (const value of action.values) {
    const wanted = { values: [value], by: action.by };
    const list = await openList(context, element, facts, wanted);
    if (action.values.length > 1 && !list.multiple) throw tooMany(element);
    const [index] = optionIndexes(element, list.options, wanted);
    if (index === undefined) continue;
    if (list.selected[index] !== true || !list.multiple) await clickOption(context, element, index, wanted);
    chosen.push(list.options[index]?.label ?? '');
  }
  return chosen;
}

async function openList(
  context: ElementContext,
  element: PageElement,
  facts: ElementFacts,
  wanted: Wanted,
): Promise<ListView> {
  if (!isList(facts)) throw notAList(element, facts);
  const { budget } = context;
  if (!(await element.ask(budget, z.boolean(), 'lists', 'isOpen'))) await clickOn(context, same(element));
  const list = await budget.during('the options to appear', () => read(context, element, ''));
  const missing = 'missing' in matchOptions(list.options, wanted.values, wanted.by ?? 'auto');
  return missing && facts.editable === 'text' && wanted.by !== 'index'
    ? filtered(context, element, list, wanted.values[0] ?? '')
    : list;
}

/** A combobox that filters shows its options only after typing. */
async function filtered(
  context: ElementContext,
  element: PageElement,
  before: ListView,
  text: string,
): Promise<ListView> {
  const { tab, write, budget } = context;
  for (const chord of ['ControlOrMeta+A', 'Delete'])
    await tab.input.press(write, budget, parseChord(chord, tab.input.mac));
  await tab.input.typeText(write, budget, text);
  return budget.during('the options to be filtered', () => read(context, element, before.mark));
}

function read({ budget }: ElementContext, element: PageElement, unlike: string): Promise<ListView> {
  return element.ask(
    budget,
    listSchema,
    'lists',
    'read',
    { value: unlike },
    { value: Math.min(APPEAR_MS, budget.remainingMs() / 2) },
  );
}

/** Reads the list again if the page rendered it anew in between. */
async function clickOption(
  context: ElementContext,
  element: PageElement,
  index: number,
  wanted: Wanted,
): Promise<void> {
  const take = async (at: number | undefined): Promise<PageElement> => {
    const option =
      at === undefined ? undefined : await element.other(context.budget, 'lists', 'optionAt', { value: at });
    if (option) return option;
    throw new WheelhouseError('NODE_GONE', 'The option went away before it could be clicked.');
  };
  const option = await clickOn(context, {
    find: () => take(index),
    again: async () => take(optionIndexes(element, (await read(context, element, '')).options, wanted)[0]),
  });
  option.release();
}

async function clickOn(context: ElementContext, finder: Finder): Promise<PageElement> {
  const { tab, write, budget } = context;
  const aimed = await makeActionable(budget, write, tab, finder, { enabled: true });
  await tab.input.click(write, budget, pointOf(aimed));
  return aimed.element;
}

function same(element: PageElement): Finder {
  return {
    find: () => Promise.resolve(element),
    again: () => Promise.reject(new WheelhouseError('NODE_GONE', `${element.title} is gone.`)),
  };
}

const LIST_ROLES: ReadonlySet<string> = new Set(['listbox', 'combobox', 'menu', 'radiogroup', 'tree']);

function isList(facts: ElementFacts): boolean {
  return LIST_ROLES.has(facts.role) || facts.popup;
}

function notAList(element: PageElement, facts: ElementFacts): WheelhouseError {
  return new WheelhouseError('WRONG_ELEMENT', `${element.title} is neither a select nor a list with options.`, {
    details: { is: facts },
  });
}

const MOST_LISTED = 30;

/** Indexes of the requested options. Throws BAD_REQUEST with a list of the options, DISABLED for a disabled one. */
function optionIndexes(
  element: PageElement,
  options: readonly ListOption[],
  { values, by }: Pick<ActionOf<'select'>, 'values' | 'by'>,
): number[] {
  const matched = matchOptions(options, values, by ?? 'auto');
  if ('indexes' in matched) return matched.indexes;
  const details = {
    options: options
      .slice(0, MOST_LISTED)
      .map(({ value, label }) => ({ value: cleanText(value, 100), label: cleanText(label, 100) })),
    count: options.length,
  };
  if ('disabled' in matched)
    throw new WheelhouseError(
      'DISABLED',
      `The option ${JSON.stringify(matched.disabled)} of ${element.title} is disabled.`,
      { details },
    );
  const names = details.options
    .slice(0, 10)
    .map(({ label, value }) => JSON.stringify(label || value))
    .join(', ');
  const more = options.length > 10 ? ` and ${options.length - 10} more` : '';
  throw new WheelhouseError(
    'BAD_REQUEST',
    `${element.title} has no option ${JSON.stringify(matched.missing.slice(0, 100))}. It has ${options.length === 0 ? 'none' : `${names}${more}`}.`,
    {
      hint: 'Use one of the options in details, by label or by value.',
      details: { ...details, fields: [{ field: 'values', problem: 'names an option that is not there' }] },
    },
  );
}

function tooMany(element: PageElement): WheelhouseError {
  return new WheelhouseError('BAD_REQUEST', `${element.title} takes one option only.`, {
    details: { fields: [{ field: 'values', problem: 'has more than one' }] },
  });
}
