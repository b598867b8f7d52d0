import type { Upcoming } from './emitter';
import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import type { Activity } from './activity';
import type { Emitter } from './emitter';
import type { TabFrames } from './frames/tab-frames';
import type { DialogSignal } from './input/gesture';
import type { PageWatch } from './page-watch';
import { quietDocument, quietFrame, until, watchDocument, type QuietPlace } from './quiet';
import type { IsolatedWorlds } from './target/isolated-worlds';

/** The time limits of settling, milliseconds; the budget bounds their sum. */
const SETTLE = {
  /** The longest wait for a document that never becomes quiet and for its requests. */
  calmMs: 1_500,
  /** The longest wait for a started navigation to commit and for its document to be parsed. */
  navigationMs: 8_000,
  /** The longest wait for the cross-site frame that was acted in. */
  frameMs: 1_000,
} as const;

export interface SettleTab {
  readonly page: Pick<PageWatch, 'document' | 'has' | 'waitFor'>;
  readonly worlds: IsolatedWorlds;
  readonly frames: TabFrames;
  readonly activity: Activity;
  readonly dialogs: DialogSignal;
  readonly health: { readonly state: string };
  readonly onChange: Emitter<[]>;
}

export interface Settled {
  /** Another document replaced the one shown when settling began. */
  readonly navigated: boolean;
  /** `bound`: the page did not become quiet within the limits above. */
  readonly ended: 'calm' | 'bound' | 'dialog' | 'hung' | 'closed';
}

/**
 * Waits until an action has taken effect (AC5): a started navigation has committed and is parsed, and the document and
 * its recent requests are quiet. Ends at once when a dialog opens or the page hangs, and within SETTLE and the budget.
 * Throws only what ended the budget from outside (CONTROL_LOST, ABORTED) and BROWSER_DOWN.
 */
export async function settle(budget: Budget, tab: SettleTab): Promise<Settled> {
  const { loaderId } = tab.page.document;
  const ended = await settled(budget, tab);
  return { navigated: tab.page.document.loaderId !== loaderId, ended };
}

/**
 * Starts recording the document's changes before an action, so that `settle` knows all of them. Callers do not await
 * it: the command precedes those of the action on the same session.
 */
export function expectChange(
  budget: Budget,
  { frames, page, worlds }: Pick<SettleTab, 'page' | 'worlds' | 'frames'>,
): void {
  frames.acted = undefined;
  watchDocument(budget, { worlds, frameId: page.document.frameId });
}

async function settled(budget: Budget, tab: SettleTab): Promise<Settled['ended']> {
  if (tab.dialogs.current) return 'dialog';
  const interrupted = interruption(tab);
  try {
    return await budget.during('the page to settle', () => Promise.race([calm(budget, tab), interrupted.promise]));
  } catch (error) {
    if (error instanceof WheelhouseError && error.code === 'TAB_NOT_FOUND') return 'closed';
    if (budget.over && budget.reason().code === 'TIMEOUT') return 'bound';
    throw error;
  } finally {
    interrupted.stop();
  }
}

function interruption(tab: SettleTab): Upcoming<Settled['ended']> {
  const opened = tab.dialogs.onOpen.next((): Settled['ended'] => 'dialog');
  const stuck = tab.onChange.next((): Settled['ended'] | undefined =>
    tab.health.state === 'hung' || tab.health.state === 'crashed' ? 'hung' : undefined,
  );
  return {
    promise: Promise.race([opened.promise, stuck.promise]),
    stop: () => {
      opened.stop();
      stuck.stop();
    },
  };
}

async function calm(budget: Budget, tab: SettleTab): Promise<Settled['ended']> {
  const end = budget.elapsedMs() + SETTLE.calmMs + SETTLE.navigationMs;
  for (;;) {
    const before = tab.page.document.loaderId;
    if (tab.activity.navigating) await within(budget, SETTLE.navigationMs, (inner) => arrived(inner, tab));
    const requests = tab.activity.recentRequests();
    const [quiet, inside] = await Promise.all([
      within(budget, SETTLE.calmMs, (inner) => quietDocument(inner, place(tab), requests)),
      quietInside(budget, tab),
    ]);
    const moved = tab.activity.navigating || tab.page.document.loaderId !== before;
    if (!moved) return quiet === true && inside ? 'calm' : 'bound';
    if (budget.elapsedMs() >= end) return 'bound';
  }
}

function place({ activity, worlds, page }: SettleTab): QuietPlace {
  return { activity, worlds, frameId: page.document.frameId };
}

/** Waits for the cross-site frame that was acted in, and for no other such frame. */
async function quietInside(budget: Budget, tab: SettleTab): Promise<boolean> {
  const { acted } = tab.frames;
  if (acted === undefined) return true;
  return (await within(budget, SETTLE.frameMs, (inner) => quietFrame(inner, tab, acted))) === true;
}

/**
 * Waits until the running navigation ends: with a new document, which it waits to be parsed, or without one (download,
 * 204, same document).
 */
async function arrived(budget: Budget, tab: SettleTab): Promise<true> {
  const before = tab.page.document.loaderId;
  await until(budget, tab.activity, () => !tab.activity.navigating || tab.page.document.loaderId !== before);
  if (tab.page.document.loaderId !== before) await tab.page.waitFor(budget, 'domcontentloaded');
  return true;
}

/** Runs work for at most `ms` milliseconds; undefined when that was too short. Throws when the whole budget ends. */
async function within<T>(budget: Budget, ms: number, work: (inner: Budget) => Promise<T>): Promise<T | undefined> {
  try {
    return await budget.within(ms, work);
  } catch (error) {
    budget.check();
    if (error instanceof WheelhouseError && (error.code === 'TIMEOUT' || error.code === 'NAV_FAILED')) return undefined;
    throw error;
  }
}
