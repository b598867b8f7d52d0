import { html, type Markup } from '@/server/demo/html';
import { shopPage } from '@/server/demo/pages/layout';
import { linePrice, subtotal } from '@/server/demo/shop/cart';
import { money } from '@/server/demo/shop/catalog';
import { COUNTRIES, longDay } from '@/server/demo/shop/delivery';
import type { Order } from '@/server/demo/shop/orders';
import type { Visit } from '@/server/demo/http/router';

/** The confirmation: the ordered goods, the address, and the order number. */
export function orderPage(visit: Visit, order: Order): Markup {
  const { fields, delivery, cart } = order;
  const country = COUNTRIES.find(({ code }) => code === fields.country)?.name ?? '';
  const lines = cart.map(
    (line) =>
      html`<li><span>${line.quantity} × ${line.product.name}, ${line.size.label}</span><span>${money(linePrice(line))}</span></li>`,
  );
  return shopPage({
    visit,
    title: `Order ${order.number}`,
    main: html`<div class="inner narrow-page"><div class="thanks"><img src="/favicon.svg" alt="" width="48" height="48"><h1>Thank you, ${fields.fullName}</h1>
<p>Your order number is <strong class="number">${order.number}</strong></p><p class="quiet">A confirmation is on its way to ${fields.email}.</p></div>
<div class="sheet"><h2>What you ordered</h2><ul class="receipt">${lines}<li><span>${delivery.label} delivery</span><span>${money(delivery.price)}</span></li>
<li class="sum"><span>Total</span><strong>${money(subtotal(cart) + delivery.price)}</strong></li></ul>
<dl class="details"><div><dt>Goes to</dt><dd>${fields.street}<br>${fields.city} ${fields.postcode}<br>${country}</dd></div>
<div><dt>Arrives on</dt><dd>${longDay(fields.deliveryDate)}</dd></div><div><dt>Paid with</dt><dd>Card ending in ${order.cardEnding}</dd></div>
${giftDetails(order)}</dl></div>
<p class="row middle"><a class="button" href="/">Continue shopping</a></p></div>`,
  });
}

function giftDetails({ fields, attachment }: Order): Markup {
  const note = fields.cardNote !== '' && html`“${fields.cardNote}”<br>`;
  const file = attachment !== undefined && html`With ${attachment}<br>`;
  if (fields.gift === undefined && note === false && file === false) return html``;
  return html`<div><dt>Gift</dt><dd>${note}${file}${fields.gift === 'yes' && 'Prices left out'}</dd></div>`;
}
