import { randomInt } from 'node:crypto';
import type { Cart } from '@/server/demo/shop/cart';
import type { Delivery } from '@/server/demo/shop/delivery';
import type { CheckoutFields } from '@/server/demo/shop/checkout';

export interface Order {
  readonly number: string;
  readonly cart: Cart;
  readonly delivery: Delivery;
  readonly fields: Omit<CheckoutFields, 'cardNumber' | 'cardCode' | 'cardExpiry'>;
  readonly cardEnding: string;
  /** Name of the file sent along, if any; its content is not kept. */
  readonly attachment: string | undefined;
}

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Such as `FF-7KQ2MX`: no letters that look like digits. */
function orderNumber(): string {
  return `FF-${Array.from({ length: 6 }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('')}`;
}

/** Makes the order of a valid form. The card's number and code are dropped here. */
export function makeOrder(
  cart: Cart,
  delivery: Delivery,
  checked: CheckoutFields,
  attachment: string | undefined,
): Order {
  const { cardNumber, cardCode: _code, cardExpiry: _expiry, ...fields } = checked;
  return { number: orderNumber(), cart, delivery, fields, cardEnding: cardNumber.slice(-4), attachment };
}
