import { withBudget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import type { PageWatch } from './page-watch';
import type { IsolatedWorlds } from './target/isolated-worlds';

/** A page that has not made room for us by then is asked again when somebody acts on it. Milliseconds. */
const OPEN_MS = 3_000;

/**
 * Opens our world in each main document as soon as it is read, so that a password that is turned into text is noticed
 * from then on (SN6). Nobody waits for it.
 */
export function watchPasswords(page: PageWatch, worlds: IsolatedWorlds, clock: Clock): void {
  page.onLifecycle.on((loaderId, name) => {
    if (name !== 'DOMContentLoaded' || loaderId !== page.document.loaderId) return;
    // One that hangs, or goes on to another, is none to look at.
    withBudget({ timeoutMs: OPEN_MS, clock }, (budget) => worlds.of(budget, page.document.frameId)).catch(
      () => undefined,
    );
  });
}
