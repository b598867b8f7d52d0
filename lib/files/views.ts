import { z } from 'zod';

/** One file of a session. `name` is how it is asked for. */
export const fileSchema = z.object({
  name: z.string(),
  /** Bytes. */
  size: z.number(),
  from: z.enum(['upload', 'download', 'trace']),
  createdAt: z.string(),
  /** Where a download came from. */
  url: z.string().optional(),
  /** Name of who put it here, or drove the tab that downloaded it. */
  by: z.string().optional(),
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
  /** Why it failed, in words and in one. `quota`: larger than the session may keep. */
  reason: z.string().optional(),
  failure: z.enum(['broken', 'cancelled', 'quota', 'disk']).optional(),
  startedAt: z.string(),
  /** The tab it came from, where that is known. */
  tab: z.string().optional(),
  /** Name of who drove that tab when it began. */
  by: z.string().optional(),
});
export type DownloadView = z.infer<typeof downloadSchema>;

/** What those who look at a session's files are told. Bytes. */
export const filesNewsSchema = z.object({
  /** All of them, oldest first; left out while they are as they were. */
  files: z.array(fileSchema).optional(),
  /** Those that go on or have failed; one that is done is a file. */
  downloads: z.array(downloadSchema),
  used: z.number(),
  limit: z.number(),
});
export type FilesNews = z.infer<typeof filesNewsSchema>;

/** A file chooser that a page has opened and that has no answer yet (DI2). */
export const chooserSchema = z.object({
  /** For closing it without files: the action `dialog` takes it as `dialogId`. */
  id: z.string(),
  multiple: z.boolean(),
  /** What the field says it takes, as its author wrote it: `image/*,.pdf`. Page-made. */
  accept: z.string(),
  openedAt: z.string(),
});
export type ChooserView = z.infer<typeof chooserSchema>;
