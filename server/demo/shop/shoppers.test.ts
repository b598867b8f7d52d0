import { describe, expect, it } from 'vitest';
import { addLine, lineFrom, MAX_LINES, MAX_QUANTITY, type Cart } from '@/server/demo/shop/cart';
import { PRODUCTS, SIZES } from '@/server/demo/shop/catalog';
import { createShoppers } from '@/server/demo/shop/shoppers';

describe('shoppers', () => {
  it('[DM1] recognises a shopper by id, and gives a stranger a new one', () => {
    const shoppers = createShoppers();
    const first = shoppers.visit(undefined);

    expect(shoppers.visit(first.id)).toBe(first);
    expect(shoppers.visit('made-up').id).not.toBe('made-up');
  });

  it('[DM1] keeps a limited number, and forgets the one seen longest ago', () => {
    const shoppers = createShoppers(2);
    const first = shoppers.visit(undefined);
    const second = shoppers.visit(undefined);
    shoppers.visit(first.id);

    shoppers.visit(undefined);

    expect(shoppers.size).toBe(2);
    expect(shoppers.visit(first.id)).toBe(first);
    expect(shoppers.visit(second.id)).not.toBe(second);
  });
});

describe('cart', () => {
  it('[DM1] joins entries of the same product and size, up to the largest order', () => {
    const line = lineFrom('monstera', 'small', 6);
    const cart = [line, line].reduce<Cart>((sum, next) => (next ? addLine(sum, next) : sum), []);

    expect(cart.map(({ quantity }) => quantity)).toEqual([MAX_QUANTITY]);
  });

  it('[DM1] takes no more lines when it is full', () => {
    const lines = PRODUCTS.flatMap((product) => SIZES.map((size) => ({ product, size, quantity: 1 })));

    expect(lines.reduce<Cart>(addLine, []).length).toBe(MAX_LINES);
  });
});
