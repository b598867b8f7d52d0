import { z } from 'zod';
import type { ActionOf } from '@/lib/actions/kinds';
import { WheelhouseError } from '@/lib/errors/error';
import { makeActionable, type Finder } from '@/server/browser/target/actionable';
import type { PageElement } from '@/server/browser/target/element';
import type { ElementFacts } from '@/server/browser/target/page/facts';
import { factsSchema } from '@/server/browser/target/probed';
import { resolveAgain, resolveTarget, type ElementTarget } from '@/server/browser/target/resolve';
import { elementTarget, pointOf, type ElementContext } from './resolved-target';
import { defineAction, type HandlerResult } from './context';

/** How long a box may take to show its new state after the click, milliseconds. */
const BECOMES_MS = 1_000;

export const check = defineAction({ kind: 'check', settles: true, queued: true, run: runCheck });

async function runCheck(context: ElementContext, action: ActionOf<'check'>): Promise<HandlerResult> {
  const { budget, tab } = context;
  const target = elementTarget(action);
  const box = await resolveTarget(budget, tab, target);
  try {
    context.noteTarget({ element: box.about });
    const facts = await box.ask(budget, factsSchema, 'facts', 'of');
    mustBeBox(box, facts, action.checked);
    if (facts.checked === action.checked) return { via: box.via, value: { checked: action.checked, changed: false } };
    const warnings = await press(context, action, target);
    await verify(context, action, target, box);
    return { via: box.via, value: { checked: action.checked, changed: true }, warnings };
  } finally {
    box.release();
  }
}

function mustBeBox(box: PageElement, facts: ElementFacts, checked: boolean): void {
  if (facts.checkable === 'no')
    throw new WheelhouseError('WRONG_ELEMENT', `${box.title} is not a checkbox, radio button or switch.`, {
      details: { is: facts },
    });
  if (facts.checkable !== 'radio' || checked || facts.checked !== true) return;
  throw new WheelhouseError(
    'WRONG_ELEMENT',
    `${box.title} is a radio button: it is unchecked by checking another of its group.`,
    { details: { is: facts } },
  );
}

/** One click, on the label where the box itself is hidden. */
async function press(
  context: ElementContext,
  action: ActionOf<'check'>,
  target: ElementTarget,
): Promise<readonly string[]> {
  const { budget, write, tab } = context;
  const aimed = await makeActionable(budget, write, tab, pressable(context, target), {
    enabled: true,
    force: action.force,
  });
  try {
    const point = pointOf(aimed);
    context.noteTarget({ point });
    await budget.during('press the box', () => tab.input.click(write, budget, point));
    return aimed.warnings;
  } finally {
    aimed.element.release();
  }
}

function pressable({ budget, tab }: ElementContext, target: ElementTarget): Finder {
  const inPlaceOf = async (box: PageElement): Promise<PageElement> => {
    const found = await box.other(budget, 'forms', 'pressable');
    box.release();
    if (found) return found;
    throw new WheelhouseError('NODE_GONE', `${box.title} is gone.`);
  };
  return {
    find: async () => inPlaceOf(await resolveTarget(budget, tab, target)),
    again: async () => inPlaceOf(await resolveAgain(budget, tab, target)),
  };
}

/** Looks whether it worked, also at the element that took its place when the page replaced it. Throws CONFLICT. */
async function verify(
  { budget, tab }: ElementContext,
  action: ActionOf<'check'>,
  target: ElementTarget,
  box: PageElement,
): Promise<void> {
  if (tab.dialogs.current) return;
  const args = [{ value: action.checked }, { value: BECOMES_MS }];
  const became = await budget.during(`the box to be ${action.checked ? 'checked' : 'unchecked'}`, () =>
    box.ask(budget, z.boolean(), 'forms', 'becomes', ...args),
  );
  if (became) return;
  const now = await resolveAgain(budget, tab, target);
  const facts = await now.ask(budget, factsSchema, 'facts', 'of');
  now.release();
  if (facts.checked === action.checked) return;
  throw new WheelhouseError(
    'CONFLICT',
    `${box.title} is still ${action.checked ? 'unchecked' : 'checked'} after the click: the page did not accept it.`,
    { details: { is: facts } },
  );
}
