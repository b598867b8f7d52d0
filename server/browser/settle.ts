import { z } from 'zod';
import { WheelhouseError } from '@/lib/errors/error';
import type { Budget } from '@/lib/budget/budget';
import type { Activity } from './activity';
import type { Emitter } from './emitter';
import type { DialogSignal } from './input/gesture';
import type { PageWatch } from './page-watch';
import { DocumentGone, kitCall } from './target/world';
import type { Worlds } from './target/worlds';

/** Bounds of settling, milliseconds; the budget bounds all of it. */
const SETTLE = {
  /** Animation frames without a change after which a page that did nothing is left alone: about 33 ms. */
  frames: 2,
  /** Once it changed: how long the document must stay as it is. */
  quietMs: 100,
  /** The longest wait for a document that never calms down, and for its requests. */
  calmMs: 1_500,
  /** The longest wait for a navigation that began to bring its new document, and for that to be parsed. */
  navigationMs: 8_000,
  /** How long a watch begun before an action is kept when nobody settles. */
  armedMs: 20_000,
} as const;

export interface SettleTab {
  readonly page: Pick<PageWatch, 'document' | 'has' | 'waitFor'>;
  readonly worlds: Worlds;
  readonly activity: Activity;
  readonly dialogs: DialogSignal;
  readonly health: { readonly state: string };
  readonly onChange: Emitter<[]>;
}

export interface Settled {
  /** Another document took the place of the one shown when settling began. */
  readonly navigated: boolean;
  /** `bound`: it never calmed down within the bounds above. */
  readonly ended: 'calm' | 'bound' | 'dialog' | 'hung' | 'closed';
}

/**
 * Waits until an action has had its effect, by rule (AC5): a navigation that began has committed and is parsed, the document is quiet,
 * and so are the requests that began lately. Ends at once when a dialog opens or the page hangs; never longer than SETTLE and the
 * budget. Throws only what ended the budget from outside (CONTROL_LOST, ABORTED) and BROWSER_DOWN.
 */
export async function settle(budget: Budget, tab: SettleTab): Promise<Settled> {
  const { loaderId } = tab.page.document;
  const ended = await settled(budget, tab);
  return { navigated: tab.page.document.loaderId !== loaderId, ended };
}

/**
 * Begins to watch the document before an action, so that `settle` knows of what changes at once. Nobody waits for it: it is written
 * before the action's own commands, on the same session.
 */
export function expectChange(budget: Budget, tab: Pick<SettleTab, 'page' | 'worlds'>): void {
  const call = kitCall('quiet', 'arm', { value: SETTLE.armedMs });
  // Without it settling is only less exact; whatever is wrong with the page the action itself will meet.
  tab.worlds.use(budget, tab.page.document.frameId, (world) => world.call(budget, z.unknown(), call)).catch(() => undefined);
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

function interruption(tab: SettleTab): { promise: Promise<Settled['ended']>; stop: () => void } {
  const offs: (() => void)[] = [];
  const promise = new Promise<Settled['ended']>((resolve) => {
    offs.push(tab.dialogs.onOpen.on(() => resolve('dialog')));
    offs.push(
      tab.onChange.on(() => {
        if (tab.health.state === 'hung' || tab.health.state === 'crashed') resolve('hung');
      }),
    );
  });
  return {
    promise,
    stop: () => {
      for (const off of offs) off();
    },
  };
}

async function calm(budget: Budget, tab: SettleTab): Promise<Settled['ended']> {
  const end = budget.elapsedMs() + SETTLE.calmMs + SETTLE.navigationMs;
  for (;;) {
    const before = tab.page.document.loaderId;
    if (tab.activity.navigating) await within(budget, SETTLE.navigationMs, (inner) => arrived(inner, tab));
    const requests = tab.activity.recentRequests();
    const quiet = await within(budget, SETTLE.calmMs, (inner) => quietDocument(inner, tab, requests));
    const moved = tab.activity.navigating || tab.page.document.loaderId !== before;
    if (!moved) return quiet === true ? 'calm' : 'bound';
    if (budget.elapsedMs() >= end) return 'bound';
  }
}

/** Waits until the navigation under way ended: by a new document, which is then parsed, or without one (download, 204, same document). */
async function arrived(budget: Budget, tab: SettleTab): Promise<true> {
  const before = tab.page.document.loaderId;
  await until(budget, tab.activity, () => !tab.activity.navigating || tab.page.document.loaderId !== before);
  if (tab.page.document.loaderId !== before) await tab.page.waitFor(budget, 'domcontentloaded');
  return true;
}

/**
 * Waits until neither the document nor the given requests are busy; false when the document never came to rest.
 * A request that has just ended will change something soon.
 */
async function quietDocument(budget: Budget, tab: SettleTab, requests: readonly string[]): Promise<boolean> {
  const heard = tab.activity.heard(budget);
  const active = tab.activity.sinceRequestMs() < SETTLE.quietMs;
  const still = await stillDocument(budget, tab, active);
  await heard;
  const begun = [...new Set([...requests, ...tab.activity.recentRequests()])];
  const pending = begun.some((id) => tab.activity.isPending(id));
  if (!pending && (active || tab.activity.sinceRequestMs() >= SETTLE.quietMs)) return still;
  await until(budget, tab.activity, () => tab.activity.navigating || !begun.some((id) => tab.activity.isPending(id)));
  return stillDocument(budget, tab, true);
}

async function stillDocument(budget: Budget, tab: SettleTab, active: boolean): Promise<boolean> {
  const wish = { frames: SETTLE.frames, quietMs: SETTLE.quietMs, active, maxMs: budget.remainingMs() };
  try {
    return await tab.worlds.use(budget, tab.page.document.frameId, (world) => world.call(budget, z.boolean(), kitCall('quiet', 'calm', { value: wish })));
  } catch (error) {
    // The document was replaced while it was watched: the caller sees that by its loader and waits for the new one.
    if (error instanceof DocumentGone) return true;
    throw error;
  }
}

/** Runs something for at most `ms`; undefined when that was too short. The end of the whole budget is thrown on. */
async function within<T>(budget: Budget, ms: number, work: (inner: Budget) => Promise<T>): Promise<T | undefined> {
  const inner = budget.child(ms);
  try {
    return await inner.race(work(inner));
  } catch (error) {
    budget.check();
    if (inner.over || (error instanceof WheelhouseError && error.code === 'NAV_FAILED')) return undefined;
    throw error;
  } finally {
    inner.dispose();
  }
}

/** Settles when `holds` does, looked at after every change of the page's activity. */
async function until(budget: Budget, activity: Activity, holds: () => boolean): Promise<void> {
  while (!holds()) await budget.race(activity.changed());
}
