import type { SessionView } from '@/lib/protocol/views';
import type { ChromeBrowser } from '@/server/browser/chrome-browser';

/** Where a session lives: a context of a Chrome. Another one once its Chrome was lost and a new one was started (BR5). */
export class Home {
  #browser: ChromeBrowser;
  #contextId: string | undefined;
  #isolation: SessionView['isolation'];

  /** `contextId` is undefined for the default context of an attached Chrome. */
  constructor(browser: ChromeBrowser, contextId: string | undefined, isolation: SessionView['isolation']) {
    this.#browser = browser;
    this.#contextId = contextId;
    this.#isolation = isolation;
  }

  get browser(): ChromeBrowser {
    return this.#browser;
  }

  get contextId(): string | undefined {
    return this.#contextId;
  }

  get isolation(): SessionView['isolation'] {
    return this.#isolation;
  }

  /** A context of a new Chrome. What lived in the default context of an attached one has a context of its own from then on. */
  move(browser: ChromeBrowser, contextId: string): void {
    this.#browser = browser;
    this.#contextId = contextId;
    if (this.#isolation === 'default') this.#isolation = 'context';
  }
}
