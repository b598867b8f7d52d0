import { html, markup, type Markup, type Piece } from '@/server/demo/html';
import { shopPage } from '@/server/demo/pages/layout';
import { selectBox } from '@/server/demo/pages/parts';
import { fieldAttributes, inputField, problemText, tickField, type FormState } from '@/server/demo/pages/fields';
import { linePrice, subtotal, type Cart } from '@/server/demo/shop/cart';
import { money } from '@/server/demo/shop/catalog';
import { COUNTRIES, DELIVERIES, deliveryDays } from '@/server/demo/shop/delivery';
import type { Visit } from '@/server/demo/http/router';

/**
 * The checkout, empty or with the typed values and their problems. Only the server validates, so the form is
 * `novalidate`.
 */
export function checkoutPage(visit: Visit, state: FormState): Markup {
  return shopPage({
    visit,
    title: 'Checkout',
    main: html`<div class="inner"><h1>Checkout</h1>${problemList(state)}
<form class="checkout" method="post" action="/checkout" enctype="multipart/form-data" novalidate>
<div class="sheet">${whoAndWhere(state)}${deliveryPart(state, visit.now)}${giftPart(state)}${paymentPart(state)}</div>
<aside class="summary" aria-label="Your order">${orderPart(visit.shopper.cart, state)}</aside></form></div>`,
  });
}

function problemList({ problems }: FormState): Piece {
  if (problems.size === 0) return '';
  const items = [...problems].map(([name, text]) => html`<li><a href="#${name}">${text}</a></li>`);
  return html`<div class="problems" role="alert"><h2>Please look at this again</h2><ul>${items}</ul></div>`;
}

function whoAndWhere(state: FormState): Markup {
  const countries = [
    { value: '', label: 'Choose a country' },
    ...COUNTRIES.map(({ code, name }) => ({ value: code, label: name })),
  ];
  return html`<fieldset><legend>Where to</legend><div class="two">
${inputField(state, 'fullName', 'Full name', 'autocomplete="name"')}${inputField(state, 'email', 'Email', 'type="email" inputmode="email" autocomplete="email"')}
${inputField(state, 'street', 'Street and number', 'autocomplete="address-line1"')}${inputField(state, 'city', 'Town or city', 'autocomplete="address-level2"')}
${inputField(state, 'postcode', 'Postcode', 'autocomplete="postal-code"')}
<div>${selectBox('country', 'Country', countries, state.typed.country ?? '', fieldAttributes(state, 'country'))}${problemText(state, 'country')}</div></div></fieldset>`;
}

function deliveryPart(state: FormState, now: Date): Markup {
  const { first, last } = deliveryDays(now);
  const chosen = state.typed.delivery ?? 'standard';
  const chips = DELIVERIES.map(
    ({
      id,
      label,
      about,
      price,
    }) => html`<label class="chip tall"><input type="radio" name="delivery" value="${id}" aria-labelledby="name-${id}" aria-describedby="about-${id}"${id === chosen && markup(' checked')}><span id="name-${id}">${label}</span>
<span class="quiet" id="about-${id}">${about}, ${price === 0 ? 'free' : money(price)}</span></label>`,
  );
  return html`<fieldset><legend>Delivery speed</legend><div class="chips" id="delivery">${chips}</div>${problemText(state, 'delivery')}</fieldset>
<div class="two">${inputField(state, 'deliveryDate', 'Delivery date', `type="date" min="${first}" max="${last}"`)}</div>`;
}

function giftPart(state: FormState): Markup {
  return html`<fieldset><legend>Gift</legend>${tickField(state, 'gift', 'This is a gift: leave out the prices')}
<div class="two">${inputField(state, 'cardNote', 'Note for the card (optional)', '')}
<div class="field"><label for="picture">Picture for the card (optional)</label><input id="picture" name="picture" type="file" accept="image/*,.txt"></div></div></fieldset>`;
}

function paymentPart(state: FormState): Markup {
  return html`<fieldset><legend>Payment</legend><p class="quiet" id="card-hint">No real card, please: use 4242 4242 4242 4242 and any date to come.</p><div class="three">
${inputField(state, 'cardNumber', 'Card number', 'inputmode="numeric" autocomplete="cc-number"')}${inputField(state, 'cardExpiry', 'Expiry (MM/YY)', 'inputmode="numeric" autocomplete="cc-exp"')}
${inputField(state, 'cardCode', 'Security code', 'type="password" inputmode="numeric" autocomplete="cc-csc"')}</div></fieldset>`;
}

function orderPart(cart: Cart, state: FormState): Markup {
  const lines = cart.map(
    (line) => html`<li><span>${line.quantity} × ${line.product.name}</span><span>${money(linePrice(line))}</span></li>`,
  );
  return html`<h2>Your order</h2><ul class="receipt">${lines}<li class="sum"><span>Subtotal</span><strong>${money(subtotal(cart))}</strong></li></ul>
<iframe title="Where we deliver from" src="/frames/delivery-map" width="300" height="134"></iframe>
${tickField(state, 'terms', 'I agree to the terms of sale')}
<button class="button wide">Place order</button>`;
}
