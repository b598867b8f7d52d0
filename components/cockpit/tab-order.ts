/** Sorts tabs by an order of ids. Tabs that the order does not name, such as new ones, follow in their own order. */
export function inOrder<T extends { readonly id: string }>(tabs: readonly T[], order: readonly string[]): T[] {
  const place = new Map(order.map((id, index) => [id, index]));
  const at = ({ id }: T): number => place.get(id) ?? Number.POSITIVE_INFINITY;
  return tabs.toSorted((a, b) => (at(a) === at(b) ? 0 : at(a) - at(b)));
}

/** Moves `id` to index `to`, clamped. Unchanged when the list does not contain `id`. */
export function movedTo(ids: readonly string[], id: string, to: number): readonly string[] {
  if (!ids.includes(id)) return ids;
  const others = ids.filter((one) => one !== id);
  return others.toSpliced(Math.max(0, to), 0, id);
}
