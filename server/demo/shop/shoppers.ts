import { BoundedMap } from '@/lib/async/bounded-map';
import { randomUUID } from 'node:crypto';
import type { Cart } from '@/server/demo/shop/cart';
import type { Order } from '@/server/demo/shop/orders';

export interface Shopper {
  readonly id: string;
  cart: Cart;
  /** Newest last, at most ten. */
  orders: readonly Order[];
}

export const COOKIE = 'fern_shopper';
const MAX_SHOPPERS = 500;
const MAX_ORDERS = 10;

/** The shoppers by the id in their cookie, in memory; the least recently seen one is dropped first. */
export interface Shoppers {
  /** The shopper of this id, or a new one when the id is absent or unknown. */
  visit(id: string | undefined): Shopper;
  readonly size: number;
}

export function createShoppers(limit = MAX_SHOPPERS): Shoppers {
  const byId = new BoundedMap<string, Shopper>(limit);
  return {
    visit(id) {
      const shopper = (id === undefined ? undefined : byId.get(id)) ?? { id: randomUUID(), cart: [], orders: [] };
      byId.set(shopper.id, shopper);
      return shopper;
    },
    get size() {
      return byId.size;
    },
  };
}

/** Turns the cart into an order of this shopper and empties it. */
export function placeOrder(shopper: Shopper, order: Order): void {
  shopper.orders = [...shopper.orders, order].slice(-MAX_ORDERS);
  shopper.cart = [];
}
