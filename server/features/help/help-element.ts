import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import type { HelpQuestion } from '@/lib/help/help-request';
import type { Tab } from '@/server/browser/tab';
import { ElementLook } from '@/server/browser/target/element-look';
import { resolveAgain, resolveTarget } from '@/server/browser/target/resolve';

/**
 * Longest check of the element on the page. Without a limit a page that hangs would keep its agent from asking for a
 * person. Milliseconds.
 */
const ELEMENT_CHECK_MS = 2_000;

/** Errors of a page that cannot be checked now; the agent may need a person for just that. */
const SILENT: ReadonlySet<string> = new Set(['TIMEOUT', 'DIALOG_OPEN', 'TAB_UNRESPONSIVE', 'TAB_CRASHED']);

/**
 * Describes the element of a help request, and checks that it still exists. When the page does not answer, uses the
 * role and name recorded with the ref. Throws REF_UNKNOWN, REF_STALE_DOCUMENT, NODE_GONE, AMBIGUOUS.
 */
export async function elementOf(budget: Budget, tab: Tab, ref: string): Promise<NonNullable<HelpQuestion['element']>> {
  const known = tab.refs.lookup(ref);
  try {
    tab.checkUsable();
    await budget.within(ELEMENT_CHECK_MS, (look) => stillThere(look, tab, ref));
  } catch (error) {
    if (budget.over || !(error instanceof WheelhouseError) || !SILENT.has(error.code)) throw error;
  }
  return { ref: known.ref, role: known.role, name: known.name };
}

/** Checks that the element exists, also as a new node after the page rendered it again (SN4). Throws NODE_GONE. */
async function stillThere(budget: Budget, tab: Tab, ref: string): Promise<void> {
  const target = { by: 'ref', ref } as const;
  const element = await resolveTarget(budget, tab, target);
  const { state } = await new ElementLook(budget, tab).at(element, {
    mostHitPoints: 0,
    waitMs: 0,
    stable: false,
    scrolled: false,
    enabled: false,
    editable: false,
  });
  element.release();
  if (state === 'gone') (await resolveAgain(budget, tab, target)).release();
}
