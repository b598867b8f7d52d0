import { Deferred } from '@/lib/async/deferred';
import type { TabView } from '@/lib/protocol/views';
import { blockedMessage } from '@/lib/messages/blocked';
import { netErrorMessage } from '@/lib/messages/net-error';
import { formatMessage } from '@/lib/messages/format';
import { escapeHtml } from '@/lib/text/escape-html';
import { parseUrl } from '@/lib/text/url';
import type { CdpSession } from '@/server/cdp/session';
import type { PageDocument, PageWatch } from './page-watch';

export type Blocked = NonNullable<TabView['blocked']>;

/** Returns the rule by which the proxy last denied this address. */
export type RuleOf = (url: string) => string | undefined;

/** Returns Chrome's name of the network error with which the proxy last failed to reach this address. */
export type NetErrorOf = (url: string) => string | undefined;

/**
 * Whether and why the proxy denied the page that the tab shows (GU1). For http the tab shows the proxy's own page. For
 * https Chrome's error page gives no reason (ERR_TUNNEL_CONNECTION_FAILED), so this class writes the reason into it;
 * also when the proxy could not reach the host.
 */
export class PageBlock {
  #current: Blocked | undefined;

  constructor(
    private readonly page: PageWatch,
    private readonly session: CdpSession,
    private readonly ruleOf: RuleOf,
    private readonly netErrorOf: NetErrorOf,
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
    if (!document.failed) return;
    const html = this.#current ? blockedPage(this.#current) : failedPage(document.url, this.netErrorOf);
    if (html !== undefined) void this.#explain(document, html);
  }

  /** Never rejects. Source: Page.setDocumentContent; measured in Chrome's error pages. */
  async #explain({ frameId, loaderId }: PageDocument, html: string): Promise<void> {
    // Chrome paints the error page shortly after the commit and would overwrite earlier content.
    if (!this.page.has('load', loaderId)) await this.#loaded(loaderId);
    if (this.page.document.loaderId === loaderId)
      await this.session.sendMayFail('Page.setDocumentContent', { frameId, html });
  }

  async #loaded(loaderId: string): Promise<void> {
    const ended = new Deferred();
    const ways = [
      this.page.onLifecycle.next((loader, name) => (loader === loaderId && name === 'load') || undefined),
      this.page.onDocument.next((_, main) => main || undefined),
      { promise: ended.promise, stop: this.session.onEnd(() => ended.resolve()) },
    ];
    await Promise.race(ways.map(({ promise }) => promise));
    for (const { stop } of ways) stop();
  }
}

function blockedAt(url: string, ruleOf: RuleOf): Blocked | undefined {
  const parsed = httpUrl(url);
  const rule = parsed && ruleOf(parsed.href);
  if (!parsed || rule === undefined) return undefined;
  const usual = parsed.protocol === 'https:' ? 443 : 80;
  const { text, said } = formatMessage(blockedMessage(rule, parsed.host));
  return { rule, host: parsed.hostname, port: parsed.port === '' ? usual : Number(parsed.port), reason: text, said };
}

function httpUrl(url: string): URL | undefined {
  const parsed = parseUrl(url);
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed : undefined;
}

/** Undefined when the proxy knows no reason: then Chrome's own page stays. */
function failedPage(url: string, netErrorOf: NetErrorOf): string | undefined {
  const parsed = httpUrl(url);
  const error = parsed && netErrorOf(parsed.href);
  if (!parsed || error === undefined) return undefined;
  const reason = formatMessage(netErrorMessage(parsed.host, error)).text;
  return explanation(parsed.host, 'This page could not be opened', [reason, error.replace(/^net::/, '')]);
}

function blockedPage({ reason, rule }: Blocked): string {
  return explanation('Blocked', 'Blocked by Wheelhouse', [reason, `Rule: ${rule}`]);
}

/** The HTML that replaces Chrome's error page. */
function explanation(title: string, heading: string, lines: readonly string[]): string {
  const style =
    'body { font: 16px/1.5 system-ui, sans-serif; max-width: 36rem; margin: 4rem auto; padding: 0 1.5rem; color: #333 } h1 { font-size: 1.5rem } p:last-child { color: #666; font-size: 0.875rem }';
  const paragraphs = lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('');
  return `<!doctype html><meta charset="utf-8"><title>${escapeHtml(title)}</title><style>${style}</style><h1>${escapeHtml(heading)}</h1>${paragraphs}`;
}
