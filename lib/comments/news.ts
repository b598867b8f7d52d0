import { z } from 'zod';

/** A comment as an agent gets it with a reply. */
export const commentNewsSchema = z.object({
  id: z.string(),
  text: z.string(),
  ref: z.string().optional(),
  role: z.string().optional(),
  name: z.string().optional(),
  /** The name of its author. */
  by: z.string(),
});
export type CommentNews = z.infer<typeof commentNewsSchema>;
