import { z } from 'zod';
import { consoleEntrySchema, pageErrorSchema, requestSummarySchema } from './entries';
import type { News, Placed } from './ring';

/** What those who look at a tab's rings are told, first all of it, then what is new. */

const newsOf = <T extends z.ZodType>(entry: T) =>
  z.object({ items: z.array(entry), next: z.int(), dropped: z.int(), oldest: z.int() });

export const ringsNewsSchema = z.object({
  console: newsOf(consoleEntrySchema),
  errors: newsOf(pageErrorSchema),
  requests: newsOf(requestSummarySchema),
});
export type RingsNews = z.infer<typeof ringsNewsSchema>;

/** The entries after some news, in the order of their ids: what changed is replaced, what left the ring is gone. */
export function withNews<T extends Placed>(
  entries: readonly T[],
  { items, oldest }: Pick<News<T>, 'items' | 'oldest'>,
): readonly T[] {
  if (items.length === 0 && (entries[0]?.id ?? oldest) >= oldest) return entries;
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  for (const item of items) byId.set(item.id, item);
  return [...byId.values()].filter(({ id }) => id >= oldest).toSorted((one, other) => one.id - other.id);
}
