import { html, markup, type Markup, type Piece } from '@/server/demo/html';
import { countItems } from '@/server/demo/shop/cart';
import type { Visit } from '@/server/demo/http/router';

interface PageParts {
  readonly visit: Visit;
  readonly title: string;
  readonly main: Piece;
  /** Words to show in the search box. */
  readonly query?: string;
  /** A script of this page, loaded after the common one. */
  readonly script?: string;
}

const DOCTYPE = markup('<!doctype html>');

/** A whole page of the shop: head, banner with search, main part, footer. */
export function shopPage({ visit, title, main, query, script }: PageParts): Markup {
  return html`${DOCTYPE}<html lang="en-GB">${head(`${title} · Fern & Field`, script)}<body>
<a class="skip" href="#main">Skip to the content</a>
${banner(visit, query ?? '')}
<main id="main" tabindex="-1">${main}</main>
${footer()}
</body></html>`;
}

/**
 * A page without banner and footer, for frames and small windows. Its main part has a name of its own, since the page
 * around a frame has a main part too.
 */
export function barePage(title: string, main: Piece): Markup {
  return html`${DOCTYPE}<html lang="en-GB">${head(title, undefined)}<body class="bare"><main aria-label="${title}">${main}</main></body></html>`;
}

function head(title: string, script: string | undefined): Markup {
  return html`<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<link rel="icon" type="image/svg+xml" href="/favicon.svg"><link rel="stylesheet" href="/assets/shop.css"><script src="/assets/shop.js" defer></script>
${script !== undefined && html`<script src="${script}" defer></script>`}</head>`;
}

function banner(visit: Visit, query: string): Markup {
  const link = (path: string, label: string): Markup =>
    html`<a href="${path}"${visit.path === path && markup(' aria-current="page"')}>${label}</a>`;
  return html`<header class="banner"><div class="inner">
<a class="brand" href="/"><img src="/favicon.svg" alt="" width="28" height="28">Fern &amp; Field</a>
<nav aria-label="Shop">${link('/plants', 'Plants')}${link('/pots', 'Pots')}${link('/care', 'Plant care')}</nav>
<form class="search" role="search" action="/search"><label class="hidden" for="q">Search plants and pots</label>
<input id="q" name="q" type="search" maxlength="80" placeholder="Search plants and pots" value="${query}" autocomplete="off"><button>Search</button></form>
<a class="cart-link" href="/cart"${visit.path === '/cart' && markup(' aria-current="page"')}>Cart (${countItems(visit.shopper.cart)})</a>
</div></header>`;
}

function footer(): Markup {
  return html`<footer class="footer"><div class="inner"><p><strong>Fern &amp; Field</strong><br>The glasshouse, 12 Harbour Road, Bristol</p>
<nav aria-label="More"><a href="/care">Plant care</a><a href="/size-guide">Size guide</a><a href="/playground">Playground</a></nav>
<p class="quiet">A made-up shop that comes with Wheelhouse. Nothing here is for sale, and nothing leaves this computer.</p></div></footer>`;
}
