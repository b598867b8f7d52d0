import { z } from 'zod';
import { actorSchema, boxSchema } from '@/lib/protocol/views';

/** Limits of the comments of one session (TL3). */
export const COMMENT_LIMITS = {
  /** Characters. */
  text: 2_000,
  /** Comments that nobody has resolved. */
  open: 500,
  /** For one more, the oldest that are not open are removed. */
  all: 2_000,
  /** Of these, by one person, the agents of one key, or all guests: they leave room for the others. */
  openOfOne: 250,
  allOfOne: 1_000,
  /** In one answer; all open ones fit. */
  read: 500,
  /** Comments that are not open any more, in the first answer to somebody who follows them. */
  latest: 200,
  mentions: 10,
  /** Comments in one reply to an agent. */
  delivered: 10,
} as const;

/** Where on a page a comment was put, as it was at that time; names are page text. */
export const anchorSchema = z.object({
  ref: z.string().optional(),
  role: z.string().optional(),
  name: z.string().optional(),
  /** CSS pixels from the upper left corner of the page, not of its viewport. */
  box: boxSchema.optional(),
  /** The box of the element, where `box` is another one that somebody drew. */
  elementBox: boxSchema.optional(),
  /** Names the document; another one in its place does not have this element, even at the same address. */
  document: z.string(),
  /** The frame of the element, unless that is the page itself, and its document. */
  frame: z.object({ id: z.string(), document: z.string() }).optional(),
  url: z.string(),
});
export type Anchor = z.infer<typeof anchorSchema>;

/** Who did something to a comment, and when (ISO 8601). */
const markSchema = z.object({ by: actorSchema, at: z.string() });

export const commentSchema = z.object({
  id: z.string(),
  /** Grows by one within the session. */
  seq: z.int(),
  tab: z.string(),
  text: z.string(),
  by: actorSchema,
  at: z.string(),
  anchor: anchorSchema.optional(),
  /** Ids of the participants whom the text names. */
  mentions: z.array(z.string()),
  /** The author had the right to drive: agents get the comment (TL3). */
  forAgents: z.boolean(),
  /** Somebody with that right gave a watcher's comment to the agents. */
  passed: markSchema.optional(),
  resolved: markSchema.optional(),
  /** The comment that this one answers. */
  reply: z.string().optional(),
});
export type Comment = z.infer<typeof commentSchema>;

/** `moved`: its element is somewhere else on the page now. `gone`: its page, frame or tab has gone. */
export const ANCHOR_STATES = ['here', 'moved', 'gone'] as const;
export type AnchorState = (typeof ANCHOR_STATES)[number];

/** A comment as one viewer sees it at this moment: the box of its anchor is the present one. */
export const commentViewSchema = commentSchema.extend({
  /** Set with an anchor. */
  state: z.enum(ANCHOR_STATES).optional(),
  /** Nobody has resolved it or the comment that it answers, and its tab is there. */
  open: z.boolean(),
});
export type CommentView = z.infer<typeof commentViewSchema>;

/**
 * What a new comment is about: an element, or a box in CSS pixels of the viewport. With both it is the element, at the
 * place of the box.
 */
export const aimFields = {
  ref: z.string().min(1).max(40).optional(),
  box: z
    .strictObject({
      x: z.number().min(-100_000).max(100_000),
      y: z.number().min(-100_000).max(100_000),
      width: z.number().min(1).max(100_000),
      height: z.number().min(1).max(100_000),
    })
    .optional(),
  /** Of the picture that the box was drawn on: it is refused when the page has changed since (FR4). */
  geometry: z.int().optional(),
  /** Where the page was scrolled to in that picture; without it, where it is scrolled to now. */
  scroll: z.strictObject({ x: z.number().min(-1e8).max(1e8), y: z.number().min(-1e8).max(1e8) }).optional(),
} as const;
const aimSchema = z.object(aimFields);
export type Aim = z.infer<typeof aimSchema>;
