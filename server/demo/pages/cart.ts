import { html, type Markup } from '@/server/demo/html';
import { shopPage } from '@/server/demo/pages/layout';
import { notice } from '@/server/demo/pages/parts';
import { lineKey, linePrice, MAX_QUANTITY, subtotal, type Cart, type CartLine } from '@/server/demo/shop/cart';
import { money } from '@/server/demo/shop/catalog';
import type { Visit } from '@/server/demo/http/router';

export function cartPage(visit: Visit, said: string | undefined): Markup {
  const { cart } = visit.shopper;
  return shopPage({
    visit,
    title: 'Your cart',
    main: html`<div class="inner narrow-page"><h1>Your cart</h1>${said !== undefined && notice(said)}${cart.length > 0 ? fullCart(cart) : emptyCart()}</div>`,
  });
}

function emptyCart(): Markup {
  return html`<div class="empty"><p>There is nothing in your cart yet.</p><p><a class="button" href="/plants">Shop plants</a></p></div>`;
}

function fullCart(cart: Cart): Markup {
  return html`<ul class="lines">${cart.map(lineRow)}</ul>
<div class="total"><p><span>Subtotal</span> <strong>${money(subtotal(cart))}</strong></p><p class="quiet">Delivery is added at checkout.</p>
<p class="row end"><a class="button second" href="/plants">Keep shopping</a><a class="button" href="/checkout">Go to checkout</a></p></div>`;
}

function lineRow(line: CartLine): Markup {
  const { product, size, quantity } = line;
  const key = lineKey(line);
  return html`<li><img src="/pictures/${product.slug}.svg" alt="" width="88" height="88">
<div class="line-words"><a href="/products/${product.slug}">${product.name}</a><span class="quiet">${size.label}</span></div>
<form class="row" method="post" action="/cart/update"><input type="hidden" name="line" value="${key}"><label class="hidden" for="quantity-${key}">Quantity of ${product.name}</label>
<input id="quantity-${key}" class="amount" name="quantity" type="number" inputmode="numeric" min="1" max="${MAX_QUANTITY}" value="${quantity}"><button class="button plain" aria-label="Update the quantity of ${product.name}">Update</button></form>
<strong class="line-price">${money(linePrice(line))}</strong>
<form method="post" action="/cart/remove" data-confirm="Remove ${product.name} from your cart?"><input type="hidden" name="line" value="${key}"><button class="button plain" aria-label="Remove ${product.name}">Remove</button></form></li>`;
}
