import { z } from 'zod';

const namesSchema = z.array(z.string().min(1).max(60)).max(50);

/** The snapshot options of a caller, the same on every door (SN3, SN7, SN9). */
export const snapshotOptionFields = {
  /** `ai` and `role`: indented lines. `webarena`: `[id] role 'name'` lines. `aria`: a JSON list, one object a node. */
  view: z.enum(['ai', 'role', 'aria', 'webarena']).optional(),
  /** Only elements that can be acted on. */
  interactive: z.boolean().optional(),
  /** Leave out boxes without a name. */
  compact: z.boolean().optional(),
  /** How many levels of lines are printed. */
  depth: z.int().min(1).max(100).optional(),
  /** Longest text, characters; cut at a line end. */
  maxChars: z.int().min(200).max(1_000_000).optional(),
  /** Addresses of links. */
  urls: z.boolean().optional(),
  preset: z.enum(['efficient']).optional(),
  /** Only one subframe: its label (`f1`), a part of its address, or a selector of its frame element in the page. */
  frame: z.string().min(1).max(2_000).optional(),
  /** Only lines with these words, ignoring case, with their ancestors. */
  find: z.string().min(1).max(500).optional(),
  /** The same by a regular expression, matched against each line separately. */
  findRegex: z.string().min(1).max(500).optional(),
  /**
   * For `webarena`: properties that are not printed, by Chrome's names; replaces the view's own list (`level`,
   * `invalid`, …).
   */
  ignoreProperties: namesSchema.optional(),
  /**
   * For `webarena`: roles that get no line while they have neither name nor property; replaces the view's own list
   * (`list`, `img`, …).
   */
  ignoreRoles: namesSchema.optional(),
  /** Adds the box of each ref, CSS pixels of the viewport. */
  boxes: z.boolean().optional(),
  /** A revision that the caller has in this form: the answer is a delta to it, where that is shorter. */
  since: z.int().min(0).max(1_000_000_000).optional(),
} as const;
