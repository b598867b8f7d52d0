/**
 * Tabs in the order that somebody laid them in, by id; those it does not name, such as new ones, come after in their
 * own order.
 */
export function inOrder<T extends { readonly id: string }>(tabs: readonly T[], order: readonly string[]): T[] {
  const place = new Map(order.map((id, index) => [id, index]));
  const at = ({ id }: T): number => place.get(id) ?? Number.POSITIVE_INFINITY;
  return tabs.toSorted((a, b) => (at(a) === at(b) ? 0 : at(a) - at(b)));
}

/** The ids with `id` at place `to` of the others, kept within them; the same order when it is not among them. */
export function movedTo(ids: readonly string[], id: string, to: number): readonly string[] {
  if (!ids.includes(id)) return ids;
  const others = ids.filter((one) => one !== id);
  return others.toSpliced(Math.max(0, to), 0, id);
}
