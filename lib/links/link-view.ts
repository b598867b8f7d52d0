import { z } from 'zod';
import { linkEndSchema, linkGrantSchema } from './link-terms';

/** A link, for those who may change it. */
export const linkViewSchema = z.object({
  id: z.string(),
  session: z.string(),
  /** Null: the whole session. */
  tab: z.string().nullable(),
  grants: z.array(linkGrantSchema),
  maxViewers: z.int().nullable(),
  /** Whether a passcode is asked for. */
  password: z.boolean(),
  /** The person who made it, or whose key did. */
  by: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  ended: z.object({ at: z.string(), why: linkEndSchema }).nullable(),
  /** How often a wrong secret or passcode was tried. */
  wrong: z.int(),
  /** Who opened it, when and roughly from where. */
  uses: z.array(
    z.object({
      guest: z.string(),
      name: z.string(),
      address: z.string(),
      firstAt: z.string(),
      lastAt: z.string(),
      here: z.boolean(),
    }),
  ),
});
export type LinkView = z.infer<typeof linkViewSchema>;

/** The only answer that contains the link's secret, behind the `#`. */
export const newLinkSchema = linkViewSchema.extend({ url: z.string() });
export type NewLink = z.infer<typeof newLinkSchema>;
