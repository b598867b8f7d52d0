import { z } from 'zod';
import { page, redirect, type Answer } from '@/server/demo/http/answer';
import type { DemoRoute, Visit } from '@/server/demo/http/router';
import { cartPage } from '@/server/demo/pages/cart';
import { checkoutPage } from '@/server/demo/pages/checkout';
import { FRESH_FORM } from '@/server/demo/pages/fields';
import { problemPage } from '@/server/demo/pages/guides';
import { orderPage } from '@/server/demo/pages/order';
import { addLine, lineFrom, lineKey, MAX_QUANTITY, removeLine, setQuantity } from '@/server/demo/shop/cart';
import { checkCheckout, FIELD_NAMES, type Typed } from '@/server/demo/shop/checkout';
import { DELIVERIES } from '@/server/demo/shop/delivery';
import { makeOrder } from '@/server/demo/shop/orders';
import { placeOrder } from '@/server/demo/shop/shoppers';

/** Cart and checkout; every handler that changes something counts it in the effects. */

const quantity = z.coerce.number().int().min(1).max(MAX_QUANTITY);
const addSchema = z.object({ product: z.string(), size: z.string(), quantity });
const lineSchema = z.object({ line: z.string() });
const updateSchema = lineSchema.extend({ quantity });

const SAID: ReadonlyMap<string | null, string> = new Map([
  ['added', 'Added to your cart.'],
  ['changed', 'Quantity changed.'],
  ['removed', 'Removed from your cart.'],
]);

function add(visit: Visit): Answer {
  const parsed = addSchema.safeParse(visit.form.fields);
  const line = parsed.success ? lineFrom(parsed.data.product, parsed.data.size, parsed.data.quantity) : undefined;
  if (!line)
    return page(
      problemPage(visit, 'That did not work', `Choose a size, and a quantity from 1 to ${MAX_QUANTITY}.`),
      400,
    );
  visit.shopper.cart = addLine(visit.shopper.cart, line);
  visit.effects.add('addToCart');
  return redirect('/cart?said=added');
}

function update(visit: Visit): Answer {
  const parsed = updateSchema.safeParse(visit.form.fields);
  if (!parsed.success)
    return page(problemPage(visit, 'That did not work', `The quantity must be from 1 to ${MAX_QUANTITY}.`), 400);
  visit.shopper.cart = setQuantity(visit.shopper.cart, parsed.data.line, parsed.data.quantity);
  visit.effects.add('changeQuantity');
  return redirect('/cart?said=changed');
}

function remove(visit: Visit): Answer {
  const parsed = lineSchema.safeParse(visit.form.fields);
  const present = parsed.success && visit.shopper.cart.some((line) => lineKey(line) === parsed.data.line);
  if (!present) return redirect('/cart');
  visit.shopper.cart = removeLine(visit.shopper.cart, parsed.data.line);
  visit.effects.add('removeFromCart');
  return redirect('/cart?said=removed');
}

function checkout(visit: Visit): Answer {
  return visit.shopper.cart.length === 0 ? redirect('/cart') : page(checkoutPage(visit, FRESH_FORM));
}

function order(visit: Visit): Answer {
  visit.effects.add('orderAttempts');
  const { shopper, form } = visit;
  if (shopper.cart.length === 0) return reject(visit, redirect('/cart'));
  const checked = checkCheckout(form.fields, visit.now);
  if (!checked.ok)
    return reject(
      visit,
      page(checkoutPage(visit, { typed: typedAgain(form.fields), problems: checked.problems }), 422),
    );
  const delivery = DELIVERIES.find(({ id }) => id === checked.fields.delivery) ?? DELIVERIES[0];
  const made = makeOrder(shopper.cart, delivery, checked.fields, form.files[0]?.name);
  placeOrder(shopper, made);
  visit.effects.add('orders');
  return redirect(`/orders/${made.number}`);
}

function reject(visit: Visit, answer: Answer): Answer {
  visit.effects.add('ordersRejected');
  return answer;
}

const SECRET: ReadonlySet<string> = new Set(['cardNumber', 'cardExpiry', 'cardCode']);

function typedAgain(fields: Readonly<Record<string, string>>): Typed {
  return Object.fromEntries(
    FIELD_NAMES.filter((name) => !SECRET.has(name) && fields[name] !== undefined).map((name) => [name, fields[name]]),
  );
}

function confirmation(visit: Visit): Answer {
  const found = visit.shopper.orders.find(({ number }) => number === visit.name);
  if (!found) return page(problemPage(visit, 'No such order', 'There is no order with this number here.'), 404);
  return page(orderPage(visit, found));
}

export const BUY: readonly DemoRoute[] = [
  { method: 'GET', path: '/cart', handle: (visit) => page(cartPage(visit, SAID.get(visit.query.get('said')))) },
  { method: 'POST', path: '/cart/add', handle: add },
  { method: 'POST', path: '/cart/update', handle: update },
  { method: 'POST', path: '/cart/remove', handle: remove },
  { method: 'GET', path: '/checkout', handle: checkout },
  { method: 'POST', path: '/checkout', handle: order },
  { method: 'GET', path: '/orders/:name', handle: confirmation },
];
