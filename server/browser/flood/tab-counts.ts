import type { FloodLook } from '@/lib/flood/gauge';
import type { Tab } from '../tab';

/**
 * Counts what a page has done that can flood its Chrome. Sources: Page.navigatedWithinDocument, windowOpen,
 * downloadWillBegin, javascriptDialogOpening; console lines and requests from the tab's own buffers.
 */
export class TabCounts {
  #navigations = 0;
  #popups = 0;
  #downloads = 0;
  #dialogs = 0;

  constructor(private readonly tab: Pick<Tab, 'sessions' | 'page' | 'watch'>) {
    const { commands } = tab.sessions;
    commands.on('Page.navigatedWithinDocument', () => (this.#navigations += 1));
    commands.on('Page.windowOpen', () => (this.#popups += 1));
    commands.on('Page.downloadWillBegin', () => (this.#downloads += 1));
    commands.on('Page.javascriptDialogOpening', () => (this.#dialogs += 1));
    tab.page.onDocument.on((_, main) => (this.#navigations += main ? 1 : 0));
  }

  get totals(): FloodLook['totals'] {
    const { console: lines, errors, requests } = this.tab.watch;
    return {
      navigations: this.#navigations,
      popups: this.#popups,
      downloads: this.#downloads,
      dialogs: this.#dialogs,
      console: lines.cursor + errors.cursor,
      requests: requests.sent,
    };
  }
}
