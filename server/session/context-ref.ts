import { randomUUID } from 'node:crypto';
import { WheelhouseError } from '@/lib/errors/error';
import type { SessionView } from '@/lib/protocol/views';
import type { Message } from '@/lib/messages/message';
import { formatMessage } from '@/lib/messages/format';
import { ChromeBrowser } from '@/server/browser/chrome-browser';
import { Emitter } from '@/server/browser/emitter';
import type { SessionRecord } from '@/server/store/sessions';

/** What is still known of a Chrome that was gone before this server started. */
export type LostBrowser = SessionView['browser'];

/**
 * Where a session lives: a context of a Chrome. Another one once its Chrome was lost and a new one was started (BR5).
 */
export class ContextRef {
  /** It is another one now. */
  readonly onMove = new Emitter<[]>();
  #browser: ChromeBrowser | LostBrowser;
  #contextId: string | undefined;
  #isolation: SessionView['isolation'];
  #closedPort: number | undefined;

  /**
   * @param contextId undefined for the default context of an attached Chrome
   * @param closedPort by which its pages would reach the network, were it not taken by another program
   */
  constructor(
    browser: ChromeBrowser | LostBrowser,
    contextId: string | undefined,
    isolation: SessionView['isolation'],
    closedPort?: number,
  ) {
    this.#browser = browser;
    this.#contextId = contextId;
    this.#isolation = isolation;
    this.#closedPort = closedPort;
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

  /** How its pages reach the network; undefined while it has no Chrome. */
  get egress(): SessionView['egress'] {
    if (!this.present) return undefined;
    if (this.present.origin === 'attached') return { state: 'advisory', ...sentence({ code: 'egressAdvisory' }) };
    return this.#closedPort === undefined
      ? { state: 'enforced', reason: '' }
      : { state: 'closed', ...sentence({ code: 'egressClosed', port: this.#closedPort }) };
  }

  /**
   * A context of a new Chrome. What lived in the default context of an attached one has a context of its own from then
   * on.
   */
  move(browser: ChromeBrowser, contextId: string): void {
    this.#browser = browser;
    this.#contextId = contextId;
    this.#closedPort = undefined;
    if (this.#isolation === 'default') this.#isolation = 'context';
    this.onMove.emit();
  }
}

export function newSessionId(): string {
  return `s_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
}

export function contextRefIn(
  browser: ChromeBrowser | LostBrowser,
  { contextId, isolation }: SessionRecord,
  closedPort?: number,
): ContextRef {
  return new ContextRef(browser, contextId ?? undefined, isolation, closedPort);
}

function sentence(words: Message): { readonly reason: string; readonly said: Message } {
  const { text, said } = formatMessage(words);
  return { reason: text, said };
}
