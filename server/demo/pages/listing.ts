import { html, type Markup } from '@/server/demo/html';
import { shopPage } from '@/server/demo/pages/layout';
import { productGrid, selectBox, tickBox } from '@/server/demo/pages/parts';
import { filterProducts, type Filter } from '@/server/demo/shop/catalog';
import type { Visit } from '@/server/demo/http/router';

const LIGHTS = [
  { value: '', label: 'Any light' },
  { value: 'low', label: 'Low light' },
  { value: 'medium', label: 'Medium light' },
  { value: 'bright', label: 'Bright light' },
];
const PRICES = [
  { value: '', label: 'Any price' },
  { value: '1500', label: 'Up to £15' },
  { value: '2000', label: 'Up to £20' },
  { value: '3000', label: 'Up to £30' },
];
const SORTS = [
  { value: 'name', label: 'Name' },
  { value: 'cheapest', label: 'Lowest price' },
  { value: 'dearest', label: 'Highest price' },
];

/** Plants, pots, or the result of a search, with the filters that were used. */
export function listingPage(visit: Visit, title: string, filter: Filter): Markup {
  const found = filterProducts(filter);
  const count = found.length === 1 ? '1 product' : `${found.length} products`;
  return shopPage({
    visit,
    title,
    query: filter.query,
    main: html`<div class="inner"><div class="title-row"><h1>${title}</h1><p class="quiet" role="status">${count}</p></div>
${filterBar(visit, filter)}
${found.length > 0 ? productGrid(found) : nothingFound(filter.query)}</div>`,
  });
}

function filterBar(visit: Visit, filter: Filter): Markup {
  const query = visit.path === '/search' && html`<input type="hidden" name="q" value="${filter.query}">`;
  return html`<form class="filters" action="${visit.path}" aria-label="Filters">${query}
${selectBox('light', 'Light', LIGHTS, filter.light ?? '')}
${selectBox('price', 'Price', PRICES, filter.atMost === undefined ? '' : String(filter.atMost))}
${selectBox('sort', 'Sort by', SORTS, filter.sort)}
${tickBox('pets', 'Safe for pets', filter.petSafe)}
<button class="button second">Apply filters</button></form>`;
}

function nothingFound(query: string): Markup {
  const what = query === '' ? html`Nothing fits these filters.` : html`Nothing found for <strong>“${query}”</strong>.`;
  return html`<div class="empty"><p>${what}</p><p><a class="button second" href="/plants">See all plants</a></p></div>`;
}
