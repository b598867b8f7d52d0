import { z } from 'zod';
import type { ActionOf } from '@/lib/actions/kinds';
import { WheelhouseError } from '@/lib/errors/error';
import { parseChord } from '@/lib/input/chord';
import type { TypedText } from '@/server/browser/input/tab-input';
import type { Actionable } from '@/server/browser/target/actionable';
import type { PageElement } from '@/server/browser/target/element';
import { focusedElement } from '@/server/browser/target/focused';
import type { ElementFacts } from '@/server/browser/target/page/facts';
import { factsSchema } from '@/server/browser/target/probed';
import { focusOn, onElement, optionalElement, pointOf, reportSecrecy, type ElementContext } from './resolved-target';
import { defineAction, type HandlerResult } from './context';
import { pressSending } from './submit-press';

export const type = defineAction({ kind: 'type', settles: true, queued: true, run: runType });

type TypeAction = ActionOf<'type'>;

interface Entered {
  readonly typed: TypedText['by'];
  readonly warnings: readonly string[];
}

async function runType(context: ElementContext, action: TypeAction): Promise<HandlerResult> {
  const target = optionalElement(action);
  if (!target) return typeIntoFocus(context, action);
  return onElement(context, target, { enabled: true, editable: true, force: action.force }, async (aimed) => {
    const { element, facts, warnings } = aimed;
    await reportSecrecy(context, element, action.text);
    if (facts.editable === 'value') return setWhole(context, element, facts, action.text);
    await giveFocus(context, aimed, action.force === true);
    const entered = await enterText(context, action, element, facts);
    return { via: element.via, ...entered, warnings: [...warnings, ...entered.warnings] };
  });
}

/** Into whatever has the focus, as keys of a person would go. */
async function typeIntoFocus(context: ElementContext, action: TypeAction): Promise<HandlerResult> {
  const focused = await focusedElement(
    context.budget,
    context.tab.worlds,
    context.tab.refs,
    context.tab.page.document.frameId,
  );
  try {
    context.noteTarget({ element: focused.about });
    await reportSecrecy(context, focused, action.text);
    const facts = await focused.ask(context.budget, factsSchema, 'facts', 'of');
    if (facts.editable === 'value') return await setWhole(context, focused, facts, action.text);
    const entered = await enterText(context, action, focused, facts);
    const lost = facts.editable === 'no' ? ['Nothing that takes text has the focus; the keys went to the page.'] : [];
    return { ...entered, warnings: [...lost, ...entered.warnings] };
  } finally {
    focused.release();
  }
}

/** By a click, as a person does; by focus() where the checks are skipped or the click did not bring the focus. */
async function giveFocus(context: ElementContext, aimed: Actionable, force: boolean): Promise<void> {
  const { tab, write, budget } = context;
  const { element, facts } = aimed;
  if (facts.focused) return;
  if (!force) await budget.during('click the field', () => tab.input.click(write, budget, pointOf(aimed)));
  if (!force && (await element.ask(budget, z.boolean(), 'facts', 'focused'))) return;
  if (await focusOn(context, element)) return;
  throw new WheelhouseError('WRONG_ELEMENT', `${element.title} did not take the keyboard focus.`, {
    details: { is: facts },
  });
}

/** Clears unless appending, types, presses Enter when asked. */
async function enterText(
  context: ElementContext,
  action: TypeAction,
  element: PageElement,
  facts: ElementFacts,
): Promise<Entered> {
  const { tab, write, budget } = context;
  const text = facts.multiline ? action.text : action.text.replace(/\s*\r?\n\s*/g, ' ');
  const warnings = text === action.text ? [] : ['This field has one line: line ends were typed as spaces.'];
  if (!facts.empty && facts.editable === 'text') await placeCaret(context, action.mode === 'append');
  const { typed, of, by } = await budget.during(`type ${text.length} characters`, () =>
    tab.input.typeText(write, budget, text, { slowly: action.slowly ?? false }),
  );
  if (typed < of) warnings.push(`A dialog opened while typing: only ${typed} of ${of} characters were typed.`);
  else if (action.mode !== 'append' && !facts.multiline)
    warnings.push(...(await heldOtherwise(context, element, facts, text)));
  if (action.submit === true && typed === of)
    warnings.push(
      ...(await pressSending(
        context,
        element,
        async () => void (await tab.input.press(write, budget, parseChord('Enter', tab.input.mac))),
      )),
    );
  return { typed: by, warnings };
}

/** To the end for appending; otherwise everything is selected and deleted by real keys. */
async function placeCaret({ tab, write, budget }: ElementContext, append: boolean): Promise<void> {
  const { input } = tab;
  const chords = append ? [input.mac ? 'Meta+ArrowDown' : 'Control+End'] : ['ControlOrMeta+A', 'Delete'];
  for (const chord of chords) await input.press(write, budget, parseChord(chord, input.mac));
}

/** Says when a field holds something else than was typed, without saying what: it may be secret (SN6). */
async function heldOtherwise(
  { budget }: ElementContext,
  element: PageElement,
  facts: ElementFacts,
  text: string,
): Promise<string[]> {
  const held = await element.ask(budget, z.string(), 'forms', 'value');
  if (held === text || facts.type === 'password') return [];
  return [
    `The field holds ${held.length} characters now, not the ${text.length} that were typed: the page changed or refused some.`,
  ];
}

/**
 * How the values of inputs that are set as a whole are written. Source: HTML standard, input element, value
 * sanitization.
 */
const FORMS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  time: '13:45',
  'datetime-local': '2026-01-31T13:45',
  month: '2026-01',
  week: '2026-W05',
  color: '#1a2b3c',
  range: '42',
};

const KEYLESS: ReadonlySet<string> = new Set(['color', 'range']);

const answer = z.object({ value: z.string(), refused: z.boolean() });

/**
 * Sets a date, time, colour or range with the events of a change: what its keys do depends on the locale. Throws
 * BAD_REQUEST for a value of another form.
 */
async function setWhole(
  { write, budget }: ElementContext,
  element: PageElement,
  facts: ElementFacts,
  text: string,
): Promise<HandlerResult> {
  await element.fenced(write)('DOM.focus', { objectId: element.objectId });
  const { value, refused } = await element.change(budget, write, answer, 'forms', 'setValue', { value: text });
  if (refused) throw wrongForm(facts.type, text);
  const why = KEYLESS.has(facts.type)
    ? 'no keys write in such a field'
    : `keys in a ${facts.type} field depend on the locale`;
  const warnings = [`Set as a value with input and change events: ${why}.`];
  if (value.toLowerCase() !== text.toLowerCase()) warnings.push(`The field made ${JSON.stringify(value)} of it.`);
  return { via: element.via, warnings };
}

function wrongForm(type: string, text: string): WheelhouseError {
  const example = FORMS[type];
  const cure = example === undefined ? '' : ` Write it like ${example}.`;
  return new WheelhouseError(
    'BAD_REQUEST',
    `A ${type} field does not take ${JSON.stringify(text.slice(0, 60))}.${cure}`,
    {
      details: { fields: [{ field: 'text', problem: `is not a ${type}` }] },
    },
  );
}
