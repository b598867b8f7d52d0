import { randomUUID } from 'node:crypto';
import { WheelhouseError } from '@/lib/errors/error';
import type { SessionView } from '@/lib/protocol/views';
import type { Message } from '@/lib/messages/message';
import { formatMessage } from '@/lib/messages/format';
import { ChromeBrowser } from '@/server/browser/chrome-browser';
import { Emitter } from '@/server/browser/emitter';
import type { SessionRecord } from '@/server/store/sessions';

/** The stored data of a Chrome that was gone before this server started. */
export type LostBrowser = SessionView['browser'];

/**
 * The contexts of a session in a Chrome, ordinarily one; replaced when a new Chrome takes the place of a lost one
 * (BR5).
 */
export class ContextRef {
  /** Its contexts were replaced, or one was added. */
  readonly onMove = new Emitter<[]>();
  #browser: ChromeBrowser | LostBrowser;
  #contexts: readonly string[];
  #isolation: SessionView['isolation'];
  #closedPort: number | undefined;

  /**
   * @param contexts Chrome's ids, the ordinary one first; none for the default context of an attached Chrome
   * @param closedPort the session's proxy port when another program has taken it
   */
  constructor(
    browser: ChromeBrowser | LostBrowser,
    contexts: readonly string[],
    isolation: SessionView['isolation'],
    closedPort?: number,
  ) {
    this.#browser = browser;
    this.#contexts = contexts;
    this.#isolation = isolation;
    this.#closedPort = closedPort;
  }

  /** Throws BROWSER_DOWN when the Chrome was gone before this server started and has no replacement. */
  get browser(): ChromeBrowser {
    const { present } = this;
    if (present) return present;
    throw new WheelhouseError('BROWSER_DOWN', { code: 'chromeGone' });
  }

  /** The Chrome; undefined when it was gone before this server started and has no replacement. */
  get present(): ChromeBrowser | undefined {
    return this.#browser instanceof ChromeBrowser ? this.#browser : undefined;
  }

  get shown(): LostBrowser {
    const { id, product, origin, mac } = this.#browser;
    return { id, product, origin, ...(mac === true && { mac }) };
  }

  get contexts(): readonly string[] {
    return this.#contexts;
  }

  /** The ordinary context; undefined for the default context of an attached Chrome. */
  get contextId(): string | undefined {
    return this.#contexts[0];
  }

  /** The context with this number. Throws NOT_FOUND when the session has none. */
  at(number: number): string | undefined {
    const contextId = this.#contexts[number];
    if (contextId === undefined && number > 0)
      throw new WheelhouseError('NOT_FOUND', `This session has no context ${number}.`);
    return contextId;
  }

  /** The context's number in the session; 0, the ordinary one, for an unknown context. */
  numberOf(contextId: string | undefined): number {
    return contextId === undefined ? 0 : Math.max(0, this.#contexts.indexOf(contextId));
  }

  owns(contextId: string | undefined): boolean {
    return contextId === undefined ? this.#contexts.length === 0 : this.#contexts.includes(contextId);
  }

  /** Adds a context of the same Chrome; returns its number. */
  add(contextId: string): number {
    this.#contexts = [...this.#contexts, contextId];
    this.onMove.emit();
    return this.#contexts.length - 1;
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

  /** Replaces the contexts. A session of an attached Chrome's default context has its own context from then on. */
  move(browser: ChromeBrowser, contexts: readonly string[]): void {
    this.#browser = browser;
    this.#contexts = contexts;
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
  { contexts, isolation }: SessionRecord,
  closedPort?: number,
): ContextRef {
  return new ContextRef(browser, contexts, isolation, closedPort);
}

function sentence(words: Message): { readonly reason: string; readonly said: Message } {
  const { text, said } = formatMessage(words);
  return { reason: text, said };
}
