import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import type { HelpQuestion } from '@/lib/help/help-request';
import type { Tab } from '@/server/browser/tab';
import { ElementLook } from '@/server/browser/target/element-look';
import { resolveAgain, resolveTarget } from '@/server/browser/target/resolve';

/**
 * A page that does not answer must not keep an agent from asking for a person: this long it is asked for the element.
 * Milliseconds.
 */
const LOOK_MS = 2_000;

/** Why the page cannot be asked now, which may be just what a person is needed for. */
const SILENT: ReadonlySet<string> = new Set(['TIMEOUT', 'DIALOG_OPEN', 'TAB_UNRESPONSIVE', 'TAB_CRASHED']);

/**
 * The element that a question is about, looked at when it is asked. Where the page does not answer, what the ref was
 * given for is believed. Throws REF_UNKNOWN, REF_STALE_DOCUMENT, NODE_GONE, AMBIGUOUS.
 */
export async function elementOf(budget: Budget, tab: Tab, ref: string): Promise<NonNullable<HelpQuestion['element']>> {
  const known = tab.refs.lookup(ref);
  try {
    tab.checkUsable();
    await budget.within(LOOK_MS, (look) => stillThere(look, tab, ref));
  } catch (error) {
    if (budget.over || !(error instanceof WheelhouseError) || !SILENT.has(error.code)) throw error;
  }
  return { ref: known.ref, role: known.role, name: known.name };
}

/** Also when it was rendered anew meanwhile (SN4). */
async function stillThere(budget: Budget, tab: Tab, ref: string): Promise<void> {
  const target = { by: 'ref', ref } as const;
  const element = await resolveTarget(budget, tab, target);
  const { state } = await new ElementLook(budget, tab).at(element, {
    aim: 0,
    waitMs: 0,
    stable: false,
    scrolled: false,
    enabled: false,
    editable: false,
  });
  element.release();
  if (state === 'gone') (await resolveAgain(budget, tab, target)).release();
}
