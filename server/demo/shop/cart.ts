import { findProduct, findSize, type Product, type Size } from '@/server/demo/shop/catalog';

export const MAX_LINES = 20;
export const MAX_QUANTITY = 9;

export interface CartLine {
  readonly product: Product;
  readonly size: Size;
  readonly quantity: number;
}

export type Cart = readonly CartLine[];

/** The key of a cart line in forms: the same product in two sizes is two lines. */
export function lineKey(line: Pick<CartLine, 'product' | 'size'>): string {
  return `${line.product.slug}:${line.size.id}`;
}

export function linePrice(line: CartLine): number {
  return (line.product.price + line.size.extra) * line.quantity;
}

export function subtotal(cart: Cart): number {
  return cart.reduce((sum, line) => sum + linePrice(line), 0);
}

export function countItems(cart: Cart): number {
  return cart.reduce((sum, line) => sum + line.quantity, 0);
}

/** Adds to the existing line, or adds a new one; a full cart or line stays as it is. */
export function addLine(cart: Cart, line: CartLine): Cart {
  const key = lineKey(line);
  const present = cart.find((other) => lineKey(other) === key);
  if (present) return setQuantity(cart, key, present.quantity + line.quantity);
  return cart.length >= MAX_LINES ? cart : [...cart, line];
}

export function setQuantity(cart: Cart, key: string, quantity: number): Cart {
  const wanted = Math.min(MAX_QUANTITY, Math.max(1, quantity));
  return cart.map((line) => (lineKey(line) === key ? { ...line, quantity: wanted } : line));
}

export function removeLine(cart: Cart, key: string): Cart {
  return cart.filter((line) => lineKey(line) !== key);
}

/** The line that form fields describe; undefined when product or size do not exist. */
export function lineFrom(slug: string, sizeId: string, quantity: number): CartLine | undefined {
  const product = findProduct(slug);
  const size = findSize(sizeId);
  return product && size && { product, size, quantity };
}
