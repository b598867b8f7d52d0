import { html, markup, type Markup } from '@/server/demo/html';
import { shopPage } from '@/server/demo/pages/layout';
import { money, SIZES, type Product, type Size } from '@/server/demo/shop/catalog';
import { countItems, MAX_QUANTITY } from '@/server/demo/shop/cart';
import type { Visit } from '@/server/demo/http/router';

const LIGHT_WORDS = { low: 'Low light', medium: 'Medium light', bright: 'Bright light' } as const;

export function productPage(visit: Visit, product: Product): Markup {
  const inCart = countItems(visit.shopper.cart.filter((line) => line.product === product));
  const snapshotCache = product.department === 'plants' ? 'Plants' : 'Pots';
  return shopPage({
    visit,
    title: product.name,
    main: html`<div class="inner"><nav class="crumbs" aria-label="Breadcrumbs"><a href="/">Home</a>
<span aria-hidden="true">/</span><a href="/${product.department}">${snapshotCache}</a>
<span aria-hidden="true">/</span><span aria-current="page">${product.name}</span></nav>
<article class="product"><img class="product-picture" src="/pictures/${product.slug}.svg" alt="Drawing: ${product.name}" width="400" height="400">
<div class="product-words"><h1>${product.name}</h1><p class="price">from ${money(product.price)}</p><p>${product.description}</p>
${buyForm(product)}${inCart > 0 && html`<p class="in-cart"><a href="/cart">${inCart} in your cart</a></p>`}
<ul class="facts"><li>${LIGHT_WORDS[product.light]}</li><li>${product.care}</li><li>${product.petSafe ? 'Safe for pets' : 'Keep away from pets'}</li></ul></div></article>
<section class="reviews"><h2>What people say</h2>
<iframe title="Reviews of ${product.name}" src="/frames/reviews?product=${product.slug}" width="600" height="222"></iframe></section></div>`,
  });
}

function buyForm(product: Product): Markup {
  return html`<form class="buy" method="post" action="/cart/add"><input type="hidden" name="product" value="${product.slug}">
<fieldset><legend>Size</legend><div class="chips">${SIZES.map((size, index) => sizeChip(product, size, index === 0))}</div></fieldset>
<div class="row end"><div class="field narrow"><label for="quantity">Quantity</label>
<input id="quantity" name="quantity" type="number" inputmode="numeric" min="1" max="${MAX_QUANTITY}" value="1"></div>
<button class="button">Add to cart</button><button type="button" class="button plain" data-popup="/size-guide">Size guide</button></div></form>`;
}

function sizeChip(product: Product, size: Size, chosen: boolean): Markup {
  return html`<label class="chip"><input type="radio" name="size" value="${size.id}"${chosen && markup(' checked')}><span>${size.label}</span> <span class="quiet">${money(product.price + size.extra)}</span></label>`;
}
