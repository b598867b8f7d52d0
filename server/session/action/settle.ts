import type { ActionContext, ActionOutcome, HandlerResult } from '@/server/actions/context';
import { settle } from '@/server/browser/settle';
import { readable } from '@/server/browser/snapshot/snapshot-delta';
import type { SessionKernel } from '../kernel';
import { ACTION_FILES } from '../feature-slots';
import type { SessionTab } from '../session-tab';
import type { ActionCall } from './call';
import type { RunningAction } from './running-actions';

/** Reserved from the budget for the answer while the page settles after an action. Milliseconds. */
const ANSWER_RESERVE_MS = 100;

/** What a tab showed before an action. */
interface PageMark {
  readonly loaderId: string;
  readonly downloads: number;
}

export function markPage(kernel: SessionKernel, { tab }: SessionTab): PageMark {
  return { loaderId: tab.page.document.loaderId, downloads: ACTION_FILES.of(kernel).downloads.mark() };
}

/** Waits until the page has settled or a dialog blocks it. */
export async function settlePage({ sessionTab, budget }: ActionCall, dialog: Promise<HandlerResult>): Promise<void> {
  const inner = budget.child(budget.remainingMs(), { reserveMs: ANSWER_RESERVE_MS });
  try {
    await Promise.race([settle(inner, sessionTab.tab), dialog]);
  } finally {
    inner.dispose();
  }
}

/** Not an error: if the last key of a text is what replaced the page, nothing is missing. */
export const INPUT_MAY_BE_LOST =
  'Another page came while this input was sent, and Chrome drops input between two pages: a part of it may be missing, or be in the new page. Look at the page before you go on.';

/** The warning of an action whose input may be lost, if another page has come or is still requested. */
export function inputWarnings(
  { page }: SessionTab['tab'],
  running: RunningAction,
  { navigated }: Partial<ActionOutcome>,
): string[] {
  const replaced = navigated === true || page.awaited !== undefined;
  return replaced && running.inputMayBeLost ? [INPUT_MAY_BE_LOST] : [];
}

/** What has changed around an action since `before`: its document, new tabs, downloads, a dialog. */
export function changesSince(
  kernel: SessionKernel,
  { sessionTab: { tab } }: ActionCall,
  context: ActionContext,
  before: PageMark,
): Partial<ActionOutcome> {
  const newTabs = context.tabs.openedSince();
  const dialog = tab.dialogs.current;
  const downloads = ACTION_FILES.of(kernel).downloads.since(before.downloads, [tab.id, ...newTabs]);
  return {
    ...(tab.page.document.loaderId === before.loaderId ? {} : { navigated: true }),
    ...(newTabs.length > 0 ? { newTabs } : {}),
    ...(downloads.length > 0 ? { downloads: downloads.map((one) => context.files.viewOf(one)) } : {}),
    ...(dialog ? { dialogs: [dialog] } : {}),
  };
}

/** The snapshot that the action asks for; nothing while a dialog is open or the tab may not be read. */
export async function requestedSnapshot(
  { visibility }: SessionKernel,
  { action, sessionTab: { tab }, budget, caller }: ActionCall,
): Promise<Partial<ActionOutcome>> {
  const wanted = 'snapshot' in action ? action.snapshot : undefined;
  const epoch = visibility.visibilityEpoch(tab.id);
  if (wanted === undefined || wanted === 'none' || tab.dialogs.current || epoch === undefined) return {};
  const reader = caller.principal.id;
  const snapshot = await (wanted === 'full'
    ? tab.snapshots.take(budget, { reader })
    : tab.snapshots.takeChanges(budget, reader));
  if (visibility.visibilityEpoch(tab.id) !== epoch) return {};
  return { snapshot: readable(snapshot), revision: snapshot.revision };
}
