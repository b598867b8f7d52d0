import { randomUUID } from 'node:crypto';
import { WheelhouseError } from '@/lib/errors/error';
import type { SessionView } from '@/lib/protocol/views';
import { ChromeBrowser } from '@/server/browser/chrome-browser';
import type { SessionRecord } from '@/server/store/sessions';

/** What is still known of a Chrome that was gone before this server started. */
export type LostBrowser = SessionView['browser'];

/** Where a session lives: a context of a Chrome. Another one once its Chrome was lost and a new one was started (BR5). */
export class Home {
  #browser: ChromeBrowser | LostBrowser;
  #contextId: string | undefined;
  #isolation: SessionView['isolation'];

  /** `contextId` is undefined for the default context of an attached Chrome. */
  constructor(browser: ChromeBrowser | LostBrowser, contextId: string | undefined, isolation: SessionView['isolation']) {
    this.#browser = browser;
    this.#contextId = contextId;
    this.#isolation = isolation;
  }

  /** Throws BROWSER_DOWN where this server never had it. */
  get browser(): ChromeBrowser {
    const { present } = this;
    if (present) return present;
    throw new WheelhouseError('BROWSER_DOWN', { code: 'chromeGone' });
  }

  /** Unless it was gone before this server started, and no other has taken its place. */
  get present(): ChromeBrowser | undefined {
    return this.#browser instanceof ChromeBrowser ? this.#browser : undefined;
  }

  get shown(): LostBrowser {
    const { id, product, origin } = this.#browser;
    return { id, product, origin };
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

export function newSessionId(): string {
  return `s_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
}

export function homeIn(browser: ChromeBrowser | LostBrowser, { contextId, isolation }: SessionRecord): Home {
  return new Home(browser, contextId ?? undefined, isolation);
}
