import { html, type Markup } from '@/server/demo/html';
import { barePage, shopPage } from '@/server/demo/pages/layout';
import { PRODUCTS, SIZES } from '@/server/demo/shop/catalog';
import type { Visit } from '@/server/demo/http/router';

/** The small window that "Size guide" opens. */
export function sizeGuidePage(): Markup {
  const fits = ['a desk or a sill', 'a shelf or a side table', 'the floor'];
  const rows = SIZES.map(({ label }, index) => html`<tr><th scope="row">${label}</th><td>${fits[index]}</td></tr>`);
  return barePage(
    'Size guide · Fern & Field',
    html`<h1>Size guide</h1><p>Measured across the rim of the pot. A plant likes a pot two fingers wider than its roots.</p>
<table><thead><tr><th scope="col">Size</th><th scope="col">Good for</th></tr></thead>
<tbody>${rows}</tbody></table><p><button type="button" class="button second" data-close>Close this window</button></p>`,
  );
}

export function carePage(visit: Visit): Markup {
  const rows = PRODUCTS.filter(({ department }) => department === 'plants').map(
    ({ slug, name, light, care, petSafe }) =>
      html`<tr><th scope="row"><a href="/products/${slug}">${name}</a></th><td>${light}</td><td>${care}</td><td>${petSafe ? 'yes' : 'no'}</td></tr>`,
  );
  return shopPage({
    visit,
    title: 'Plant care',
    main: html`<div class="inner narrow-page"><h1>Plant care</h1><p>Most house plants die of kindness. When in doubt, wait a day before you water.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Care by plant"><table><thead><tr><th scope="col">Plant</th><th scope="col">Light</th><th scope="col">Water</th><th scope="col">Safe for pets</th></tr></thead>
<tbody>${rows}</tbody></table></div></div>`,
  });
}

export function problemPage(visit: Visit, title: string, text: string): Markup {
  return shopPage({
    visit,
    title,
    main: html`<div class="inner narrow-page"><div class="empty"><h1>${title}</h1>
<p>${text}</p>
<p><a class="button second" href="/">Go to the shop</a></p></div></div>`,
  });
}
