import { html, markup, type Markup } from '@/server/demo/html';
import { barePage } from '@/server/demo/pages/layout';
import type { Product } from '@/server/demo/shop/catalog';

/** The two widgets that other pages show in an iframe. */

const VOICES = [
  { who: 'Amara', stars: 5, text: 'Arrived upright, unpacked in a minute, and has a new leaf already.' },
  { who: 'Tom', stars: 4, text: 'Smaller than I had imagined, but healthy and very well packed.' },
  { who: 'Yuki', stars: 5, text: 'My third order. They even wrote down how to water it.' },
] as const;

export function reviewsFrame(product: Product, thanked: boolean): Markup {
  const reviews = VOICES.map(
    ({
      who,
      stars,
      text,
    }) => html`<li><p class="stars" role="img" aria-label="${stars} of 5 stars">${'★'.repeat(stars)}${'☆'.repeat(5 - stars)}</p>
<p>${text}</p>
<p class="quiet">${who}, about the ${product.name.toLowerCase()}</p></li>`,
  );
  const vote = thanked
    ? html`<p role="status">Thank you for telling us.</p>`
    : html`<form method="post" action="/frames/reviews/helpful"><input type="hidden" name="product" value="${product.slug}"><button class="button second">These reviews are helpful</button></form>`;
  return barePage(
    `Reviews of ${product.name}`,
    html`<h1 class="hidden">Reviews of ${product.name}</h1><ul class="voices">${reviews}</ul>${vote}`,
  );
}

const MAP = `<svg viewBox="0 0 300 110" width="300" height="110" role="img" aria-label="Map: the glasshouse stands by the harbour in Bristol"><rect width="300" height="110" rx="8" fill="#e8f0e6"/>
<path d="M0 78C60 60 90 96 150 80S250 50 300 66V110H0Z" fill="#c9dfe6"/><g fill="none" stroke="#fff" stroke-width="6"><path d="M0 30C70 40 120 10 300 26"/><path d="M84 0V74"/><path d="M206 0C196 40 220 50 214 66"/></g>
<path d="M84 33C120 22 160 20 205 24" fill="none" stroke="#b8593a" stroke-width="3" stroke-dasharray="2 7" stroke-linecap="round"/><g fill="#fff" opacity=".75"><rect x="20" y="8" width="42" height="14" rx="3"/><rect x="110" y="38" width="70" height="22" rx="3"/><rect x="232" y="36" width="48" height="18" rx="3"/></g>
<path d="M84 34C72 20 76 8 84 8S96 20 84 34Z" fill="#1f6b4a"/><circle cx="84" cy="17" r="4" fill="#fff"/><circle cx="206" cy="24" r="6" fill="#b8593a"/></svg>`;

export function mapFrame(): Markup {
  return barePage(
    'Where we deliver from',
    html`<h1 class="hidden">Where we deliver from</h1>
<div class="map">${markup(MAP)}<p class="quiet">From our glasshouse in Bristol</p></div>`,
  );
}
