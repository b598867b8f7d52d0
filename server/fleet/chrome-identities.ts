import { WheelhouseError } from '@/lib/errors/error';
import type { ChromeBrowser } from '@/server/browser/chrome-browser';
import type { BrowserRecord } from '@/server/store/browsers';

interface Known {
  readonly browser: ChromeBrowser;
  readonly workspace: string;
}

/**
 * Identifies all Chromes of the server by what they report about themselves, so that none is driven twice: each of its
 * tabs would have two leases. The address does not identify one: a port has many names, and forwarders have their own.
 */
export class ChromeIdentities {
  readonly #known = new Map<string, Known>();

  /** @param letGo called with an attached Chrome that later shows a page of another */
  constructor(private readonly letGo: (second: ChromeBrowser) => void) {}

  /**
   * Registers a Chrome; synchronous, so that of several connections made at the same time one wins. A launched Chrome
   * takes precedence: returns the attached ones to detach from. Throws CONFLICT for a Chrome attached a second time.
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
   * Detaches the later attached of two Chromes that show the same page: Chromes that do not report their default
   * context can be identified only by their pages.
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

/** The CONFLICT error; names the browser id only within its own workspace (T6). */
function drivenAlready({ browser, workspace }: Known, asker: string): WheelhouseError {
  if (workspace !== asker)
    return new WheelhouseError('CONFLICT', { code: 'chromeDriven' }, { hint: { code: 'chromeDrivenElsewhereCure' } });
  return new WheelhouseError(
    'CONFLICT',
    { code: 'chromeDriven' },
    { hint: { code: 'chromeDrivenCure', id: browser.id }, details: { browser: browser.id } },
  );
}
