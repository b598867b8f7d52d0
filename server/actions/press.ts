import type { ActionOf } from '@/lib/actions/kinds';
import { asWheelhouseError } from '@/lib/errors/error';
import { parseChord } from '@/lib/input/chord';
import { focusedElement } from '@/server/browser/target/focused';
import { focusOn, rememberIfSecret, onElement, optionalElement, type ElementContext } from './resolved-target';
import { defineAction, type HandlerResult } from './context';
import { pressSending } from './submit-press';

export const press = defineAction({ kind: 'press', settles: true, queued: true, run: runPress });

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
  return onElement(context, target, { enabled: true, hitTest: false }, async ({ element, facts, warnings }) => {
    const secret = await rememberIfSecret(context, element, { text: charactersOf(action), added: true });
    if (secret !== undefined) context.noteTarget({ secret });
    const focused = facts.focused || (await focusOn(context, element));
    const unsent = sends && focused ? await pressSending(context, element, strike) : await strike().then(() => []);
    const lost = focused ? [] : [`${element.title} cannot have the keyboard focus; the keys went to what has it.`];
    return { via: element.via, warnings: [...warnings, ...unsent, ...lost] };
  });
}

/** The characters that the keys type. */
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

/** Enter may submit the form of the focused element; characters may go into a secret field. */
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
