import { z } from 'zod';
import type { ActionOf } from '@/lib/actions/kinds';
import { asWheelhouseError, WheelhouseError } from '@/lib/errors/error';
import { parseChord } from '@/lib/input/chord';
import type { Actionable } from '@/server/browser/target/actionable';
import type { PageElement } from '@/server/browser/target/element';
import { focusedElement } from '@/server/browser/target/focused';
import type { ElementFacts } from '@/server/browser/target/page/facts';
import { factsSchema } from '@/server/browser/target/probed';
import {
  focusOn,
  rememberIfSecret,
  onElement,
  optionalElement,
  pointOf,
  reportSecrecy,
  type ElementContext,
} from './resolved-target';
import { defineAction, type HandlerResult } from './context';
import { pressSending } from './submit-press';
import { setWhole } from './whole-value';

export const type = defineAction({ kind: 'type', settles: true, queued: true, run: runType });
export const press = defineAction({ kind: 'press', settles: true, queued: true, run: runPress });

type TypeAction = ActionOf<'type'>;

async function runType(context: ElementContext, action: TypeAction): Promise<HandlerResult> {
  const target = optionalElement(action);
  if (!target) return typeIntoFocus(context, action);
  return onElement(context, target, { enabled: true, editable: true, force: action.force }, async (aimed) => {
    const { element, facts, warnings } = aimed;
    await reportSecrecy(context, element, action.text);
    if (facts.editable === 'value') return setWhole(context, element, facts, action.text);
    await giveFocus(context, aimed, action.force === true);
    const typed = await enterText(context, action, element, facts);
    return { via: element.via, warnings: [...warnings, ...typed] };
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
    const warnings = await enterText(context, action, focused, facts);
    const lost = facts.editable === 'no' ? ['Nothing that takes text has the focus; the keys went to the page.'] : [];
    return { warnings: [...lost, ...warnings] };
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

/** Clears unless appending, types, presses Enter when asked. Gives warnings. */
async function enterText(
  context: ElementContext,
  action: TypeAction,
  element: PageElement,
  facts: ElementFacts,
): Promise<string[]> {
  const { tab, write, budget } = context;
  const text = facts.multiline ? action.text : action.text.replace(/\s*\r?\n\s*/g, ' ');
  const warnings = text === action.text ? [] : ['This field has one line: line ends were typed as spaces.'];
  if (!facts.empty && facts.editable === 'text') await placeCaret(context, action.mode === 'append');
  const { typed, of } = await budget.during(`type ${text.length} characters`, () =>
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
  return warnings;
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

async function runPress(context: ElementContext, action: ActionOf<'press'>): Promise<HandlerResult> {
  const { tab } = context;
  const chords = (action.keys ?? [action.key ?? '']).map((key) => parseChord(key, tab.input.mac));
  const target = optionalElement(action);
  const strike = async (): Promise<void> => {
    for (const chord of chords) {
      const ended = await tab.input.press(context.write, context.budget, chord, {
        repeat: action.repeat ?? 1,
        delayMs: action.delayMs ?? 0,
      });
      if (ended === 'dialog') return;
    }
  };
  const sends = chords.at(-1)?.key.key === 'Enter';
  if (!target) return { warnings: await strikeFocused(context, strike, { sends, characters: charactersOf(action) }) };
  return onElement(context, target, { enabled: true, aim: false }, async ({ element, facts, warnings }) => {
    const secret = await rememberIfSecret(context, element, { text: charactersOf(action), added: true });
    if (secret !== undefined) context.noteTarget({ secret });
    const focused = facts.focused || (await focusOn(context, element));
    const unsent = sends && focused ? await pressSending(context, element, strike) : await strike().then(() => []);
    const lost = focused ? [] : [`${element.title} cannot have the keyboard focus; the keys went to what has it.`];
    return { via: element.via, warnings: [...warnings, ...unsent, ...lost] };
  });
}

/** What the keys write. */
function charactersOf({ keys, key = '', repeat = 1 }: ActionOf<'press'>): string {
  const characters = (keys ?? [key]).map((one) =>
    one.replace(/^(?:Shift\+)?Space$/i, ' ').replace(/^Shift\+(.)$/u, (_, letter: string) => letter.toUpperCase()),
  );
  return characters
    .filter((one) => [...one].length === 1)
    .map((one) => one.repeat(repeat))
    .join('');
}

/**
 * A page or frame that does not say so soon where characters go is not waited for: keys wait for no page. Milliseconds.
 */
const FOCUS_MS = 500;

/** Enter may send the form of what has the focus; characters may go into a secret. */
async function strikeFocused(
  context: ElementContext,
  strike: () => Promise<void>,
  { sends, characters }: { sends: boolean; characters: string },
): Promise<string[]> {
  if (characters !== '') await keepFocusedSecret(context, characters);
  const { budget, tab } = context;
  const focused = sends
    ? await focusedElement(budget, tab.worlds, tab.refs, tab.page.document.frameId).catch(nothingFocused)
    : undefined;
  if (!focused) return strike().then(() => []);
  try {
    return await pressSending(context, focused, strike);
  } finally {
    focused.release();
  }
}

/** What goes into a secret is known before Chrome has it, where the page answers in time. */
async function keepFocusedSecret({ budget: whole, tab, keepSecret }: ElementContext, text: string): Promise<void> {
  const budget = whole.child(Math.min(FOCUS_MS, whole.remainingMs() / 2));
  try {
    const focused = await focusedElement(budget, tab.worlds, tab.refs, tab.page.document.frameId);
    await rememberIfSecret({ budget, tab, keepSecret }, focused, { text, added: true }).finally(() =>
      focused.release(),
    );
  } catch (error) {
    whole.check();
    if (!budget.over) nothingFocused(error);
  } finally {
    budget.dispose();
  }
}

function nothingFocused(error: unknown): undefined {
  if (asWheelhouseError(error).code !== 'NODE_GONE') throw error;
  return undefined;
}
