import { z } from 'zod';

/** One file of a session. `name` is how it is asked for. */
export const fileSchema = z.object({
  name: z.string(),
  /** Bytes. */
  size: z.number(),
  from: z.enum(['upload', 'download']),
  createdAt: z.string(),
  /** Where a download came from. */
  url: z.string().optional(),
});
export type FileView = z.infer<typeof fileSchema>;

/** A download as it goes on. `received` and `total` in bytes; a total of 0 is not known. */
export const downloadSchema = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  state: z.enum(['running', 'done', 'failed']),
  received: z.number(),
  total: z.number(),
  /** Why it failed. */
  reason: z.string().optional(),
});
export type DownloadView = z.infer<typeof downloadSchema>;
