import { z } from 'zod';
import { consoleEntrySchema, pageErrorSchema, requestSummarySchema } from './entries';
import type { BufferChanges, BufferEntry } from './ring-buffer';

/** What followers of a tab's buffers receive: first everything, then what is new. */

const newsOf = <T extends z.ZodType>(entry: T) =>
  z.object({ items: z.array(entry), next: z.int(), dropped: z.int(), oldest: z.int() });

export const bufferNewsSchema = z.object({
  console: newsOf(consoleEntrySchema),
  errors: newsOf(pageErrorSchema),
  requests: newsOf(requestSummarySchema),
});
export type BufferNews = z.infer<typeof bufferNewsSchema>;

/**
 * Applies news to the entries, in the order of their ids: replaces changed entries and removes those that left the
 * buffer.
 */
export function withNews<T extends BufferEntry>(
  entries: readonly T[],
  { items, oldest }: Pick<BufferChanges<T>, 'items' | 'oldest'>,
): readonly T[] {
  if (items.length === 0 && (entries[0]?.id ?? oldest) >= oldest) return entries;
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  for (const item of items) byId.set(item.id, item);
  return [...byId.values()].filter(({ id }) => id >= oldest).toSorted((one, other) => one.id - other.id);
}
