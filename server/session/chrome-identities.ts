import { WheelhouseError } from '@/lib/errors/error';
import type { ChromeBrowser } from '@/server/browser/chrome-browser';
import type { BrowserRecord } from '@/server/store/browsers';

interface Known {
  readonly browser: ChromeBrowser;
  readonly workspace: string;
}

/**
 * Every Chrome that the server drives, of all workspaces, by what it says of itself: a Chrome that were driven twice
 * would have two leases on each tab. Its address tells nothing: a port has many names, and a forwarder has its own.
 */
export class ChromeIdentities {
  readonly #known = new Map<string, Known>();

  /** @param letGo called with an attached one that shows a page of another, later than both were there */
  constructor(private readonly letGo: (second: ChromeBrowser) => void) {}

  /**
   * Settles in one step which of several that were reached at the same time stays. One that we launched takes
   * precedence: gives the attached ones that have to be let go for it. Throws CONFLICT for one that is attached a
   * second time.
   */
  claim(browser: ChromeBrowser, { id, workspace, origin }: BrowserRecord): readonly ChromeBrowser[] {
    const twins = this.#twins(browser);
    const [first] = origin === 'attached' ? twins : twins.filter((twin) => twin.browser.origin === 'launched');
    if (first) throw drivenAlready(first, workspace);
    this.#known.set(id, { browser, workspace });
    browser.onGone.on(() => void this.#known.delete(id));
    browser.onTarget.on(({ targetId }) => this.#shown(browser, targetId));
    return twins.map((twin) => twin.browser);
  }

  /**
   * A page of two: the later attached one goes. Chromes that do not name their default context can only be told apart
   * by their pages.
   */
  #shown(browser: ChromeBrowser, targetId: string): void {
    const both = [...this.#known.values()]
      .map((known) => known.browser)
      .filter((one) => one === browser || one.has(targetId));
    const second = both.length < 2 ? undefined : both.findLast(({ origin }) => origin === 'attached');
    if (second) this.letGo(second);
  }

  #twins(browser: ChromeBrowser): Known[] {
    return [...this.#known.values()].filter((one) => one.browser.id !== browser.id && one.browser.isSameAs(browser));
  }
}

/** The id of a browser is told to its own workspace only (T6). */
function drivenAlready({ browser, workspace }: Known, asker: string): WheelhouseError {
  if (workspace !== asker)
    return new WheelhouseError('CONFLICT', { code: 'chromeDriven' }, { hint: { code: 'chromeDrivenElsewhereCure' } });
  return new WheelhouseError(
    'CONFLICT',
    { code: 'chromeDriven' },
    { hint: { code: 'chromeDrivenCure', id: browser.id }, details: { browser: browser.id } },
  );
}
