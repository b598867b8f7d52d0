import { shelfPicture } from '@/server/demo/art/pictures';
import { html, markup, type Markup } from '@/server/demo/html';
import { shopPage } from '@/server/demo/pages/layout';
import { productGrid } from '@/server/demo/pages/parts';
import { PRODUCTS } from '@/server/demo/shop/catalog';
import type { Visit } from '@/server/demo/http/router';

/** The only animated page: the leaves on the shelf sway until the visitor stops them. */
export function homePage(visit: Visit): Markup {
  const favourites = PRODUCTS.filter(({ slug }) =>
    ['monstera', 'boston-fern', 'snake-plant', 'terracotta-pot'].includes(slug),
  );
  return shopPage({
    visit,
    title: 'Plants and pots',
    main: html`<section class="hero"><div class="inner"><div class="hero-words"><h1>Bring a little of the&nbsp;outside in</h1>
<p>House plants raised slowly in our Bristol glasshouse, and pots made to keep them happy.</p>
<p class="row"><a class="button" href="/plants">Shop plants</a><a class="button second" href="/pots">Shop pots</a></p></div>
<div class="shelf" id="shelf">${markup(shelfPicture())}<button type="button" class="still" data-still="shelf" aria-pressed="false">Stop the leaves</button></div></div></section>
<div class="inner"><h2>Favourites this week</h2>${productGrid(favourites)}
<ul class="promises"><li><strong>Raised, not rushed</strong><span>Every plant spends a season with us first.</span></li>
<li><strong>Thirty days to settle</strong><span>If it sulks, we send another one.</span></li>
<li><strong>Packed in paper</strong><span>No plastic, from pot to parcel.</span></li></ul></div>`,
  });
}
