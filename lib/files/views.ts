import { z } from 'zod';

/** One file of a session. `name` is unique in the session and identifies the file. */
export const fileSchema = z.object({
  name: z.string(),
  /** Bytes. */
  size: z.number(),
  from: z.enum(['upload', 'download', 'trace']),
  createdAt: z.string(),
  /** Where a download came from. */
  url: z.string().optional(),
  /** Name of the participant who uploaded it, or who drove the tab that downloaded it. */
  by: z.string().optional(),
});
export type FileView = z.infer<typeof fileSchema>;

/** What decides who may have a file. */
export interface FileOrigin {
  readonly from: FileView['from'];
  /** Participant id of who put it there, or drove the tab that downloaded it. */
  readonly owner?: string | undefined;
  /** The tab that downloaded it, and that tab's opener. */
  readonly tabs?: readonly string[] | undefined;
}

/** A download in progress. `received` and `total` are bytes; `total` is 0 when unknown. */
export const downloadSchema = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  state: z.enum(['running', 'done', 'failed']),
  received: z.number(),
  total: z.number(),
  /** Why it failed, as a sentence and as a code. `quota`: larger than the session may keep. */
  reason: z.string().optional(),
  failure: z.enum(['broken', 'cancelled', 'quota', 'disk']).optional(),
  startedAt: z.string(),
  /** The tab it came from, where that is known. */
  tab: z.string().optional(),
  /** Name of the participant who drove that tab when the download began. */
  by: z.string().optional(),
});
export type DownloadView = z.infer<typeof downloadSchema>;

/** What followers of a session's files receive. Sizes are bytes. */
export const filesNewsSchema = z.object({
  /** All files, oldest first; absent when none changed. */
  files: z.array(fileSchema).optional(),
  /** Downloads in progress and failed ones; a finished one is listed in `files`. */
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
  /** The field's `accept` attribute as the page wrote it: `image/*,.pdf`. */
  accept: z.string(),
  openedAt: z.string(),
});
export type ChooserView = z.infer<typeof chooserSchema>;
