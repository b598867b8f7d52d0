import type { TabView } from '@/lib/protocol/views';
import { saidOfBlocked } from '@/lib/said/blocked';
import { say } from '@/lib/said/say';
import { escapeHtml } from '@/lib/text/escape-html';
import { parseUrl } from '@/lib/text/url';
import type { CdpSession } from '@/server/cdp/session';
import type { PageDocument, PageWatch } from './page-watch';

export type Blocked = NonNullable<TabView['blocked']>;

/** The rule by which the egress proxy last denied where an address leads. */
export type RuleOf = (url: string) => string | undefined;

/**
 * Whether the tab shows a page that the egress proxy let nobody reach, and why (GU1). Of http that is the proxy's own page; of https Chrome shows an error
 * that names no reason (ERR_TUNNEL_CONNECTION_FAILED), so that the reason is written into it.
 */
export class PageBlock {
  #current: Blocked | undefined;

  constructor(
    private readonly page: PageWatch,
    private readonly session: CdpSession,
    private readonly ruleOf: RuleOf,
  ) {
    page.onDocument.on((document, main) => {
      if (main) this.#shown(document);
    });
  }

  get current(): Blocked | undefined {
    return this.#current;
  }

  #shown(document: PageDocument): void {
    this.#current = blockedAt(document.url, this.ruleOf);
    if (this.#current && document.failed) void this.#explain(document, this.#current);
  }

  /** Never rejects. Source: Page.setDocumentContent; measured in Chrome's error pages. */
  async #explain({ frameId, loaderId }: PageDocument, blocked: Blocked): Promise<void> {
    // The error page is painted a moment after it was committed, over what was written before.
    if (!this.page.has('load', loaderId)) await this.#loaded(loaderId);
    if (this.page.document.loaderId === loaderId) await this.session.sendMayFail('Page.setDocumentContent', { frameId, html: pageOf(blocked) });
  }

  #loaded(loaderId: string): Promise<void> {
    return new Promise((resolve) => {
      const offs = [
        this.page.onLifecycle.on((loader, name) => loader === loaderId && name === 'load' && finish()),
        this.page.onDocument.on((_, main) => main && finish()),
        this.session.onEnd(() => finish()),
      ];
      const finish = (): void => {
        for (const off of offs) off();
        resolve();
      };
    });
  }
}

function blockedAt(url: string, ruleOf: RuleOf): Blocked | undefined {
  const parsed = parseUrl(url);
  const usual = parsed && { 'http:': 80, 'https:': 443 }[parsed.protocol];
  if (!parsed || usual === undefined) return undefined;
  const rule = ruleOf(parsed.href);
  if (rule === undefined) return undefined;
  const { text, said } = say(saidOfBlocked(rule, parsed.host));
  return { rule, host: parsed.hostname, port: parsed.port === '' ? usual : Number(parsed.port), reason: text, said };
}

function pageOf({ reason, rule }: Blocked): string {
  return `<!doctype html><meta charset="utf-8"><title>Blocked</title><h1>Blocked by Wheelhouse</h1><p>${escapeHtml(reason)}</p><p>Rule: ${escapeHtml(rule)}</p>`;
}
