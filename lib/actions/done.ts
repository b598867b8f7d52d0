import { z } from 'zod';
import { verbPhraseSchema } from './verb-phrase';

/** Something a person did, in the vocabulary of actions (CO5, CO11). Secrets are hidden in all of it (SN6). */
export const doneSchema = z.object({
  at: z.string(),
  tab: z.string().optional(),
  /** The action that would repeat it, as a door takes it. `${hidden}` replaces text that is stored nowhere. */
  action: z.looseObject({ kind: z.string() }),
  /** The same as a step line. */
  step: z.string(),
  /** The same in words: `click button “Sign in”`. */
  text: z.string(),
  /** `text` as data, for the languages of the interface. */
  deed: verbPhraseSchema.optional().catch(undefined),
  /** `ref`: its ref at that time, if a snapshot had given it one. */
  element: z.object({ role: z.string(), name: z.string(), ref: z.string().optional() }).optional(),
  /** Its text is hidden. */
  hidden: z.boolean().optional(),
  /** Characters left out at the end of its text. */
  cut: z.int().optional(),
  /** The error code of an action that failed. */
  code: z.string().optional(),
});
export type DoneAction = z.infer<typeof doneSchema>;
