import { z } from 'zod';
import { commentViewSchema } from '@/lib/comments/comment';
import { helpRequestSchema } from '@/lib/help/help-request';
import { optionalMessageSchema } from '@/lib/messages/message';
import { replySchema } from '@/lib/actions/reply';
import { wireErrorSchema } from '@/lib/errors/error';
import {
  controlSchema,
  frameMetaSchema,
  participantSchema,
  sessionSchema,
  snapshotPatchSchema,
  snapshotViewSchema,
  streamStatusSchema,
  timelineEventSchema,
} from '@/lib/protocol/views';
import { popupSchema } from '@/lib/protocol/popup';
import { cursorNewsSchema } from '@/lib/presence/cursors';
import { filesNewsSchema } from '@/lib/files/views';
import { bufferNewsSchema } from '@/lib/buffers/news';
import { rightsViewSchema, type ClientAnswers, type ClientEvent } from '@/lib/protocol/catalog';

const nothing = z.record(z.string(), z.never());
const box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

/** Schema of the answer to each event (DO2). */
export const ANSWERS: { readonly [E in ClientEvent]: z.ZodType<ClientAnswers[E]> } = {
  hello: z.object({
    you: participantSchema,
    protocol: z.number(),
    demoAvailable: z.boolean(),
    workspace: z.object({ id: z.string(), name: z.string() }).nullable(),
    ...rightsViewSchema.shape,
  }),
  'wall.watch': z.object({ sessions: z.array(sessionSchema) }),
  'wall.unwatch': nothing,
  'session.join': z.object({ session: sessionSchema, timeline: z.array(timelineEventSchema) }),
  'session.leave': nothing,
  'stream.open': z.object({ stream: z.string() }),
  'stream.pin': nothing,
  'stream.close': nothing,
  input: z.object({ popup: popupSchema.optional() }),
  copy: z.object({ text: z.string() }),
  act: replySchema,
  control: z.object({ control: controlSchema, question: helpRequestSchema.optional() }),
  'snapshot.watch': z.object({ snapshot: snapshotViewSchema }),
  'snapshot.unwatch': nothing,
  'rings.watch': z.object({ rings: bufferNewsSchema }),
  'rings.unwatch': nothing,
  'files.watch': z.object({ files: filesNewsSchema }),
  'files.unwatch': nothing,
  'comments.watch': z.object({ comments: z.array(commentViewSchema) }),
  'comments.unwatch': nothing,
  'element.at': z.object({
    element: z.object({ ref: z.string().optional(), role: z.string(), name: z.string() }).nullable(),
  }),
  'element.box': z.object({ box: box.nullable() }),
  cursor: nothing,
  hand: nothing,
  'timeline.list': z.object({ events: z.array(timelineEventSchema) }),
};

export const ackSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), data: z.unknown() }),
  z.object({ ok: z.literal(false), error: wireErrorSchema }),
]);

/** Schemas of the server's pushes; `frame` is the metadata of a picture. */
export const PUSHES = {
  'session.state': sessionSchema,
  'session.gone': z.object({ id: z.string(), reason: z.string(), said: optionalMessageSchema }),
  timeline: z.object({ session: z.string(), events: z.array(timelineEventSchema) }),
  'stream.status': streamStatusSchema,
  snapshot: z.object({ session: z.string(), tab: z.string(), snapshot: snapshotViewSchema }),
  'snapshot.patch': z.object({ session: z.string(), tab: z.string(), patch: snapshotPatchSchema }),
  rings: z.object({ session: z.string(), tab: z.string(), rings: bufferNewsSchema }),
  files: z.object({ session: z.string(), files: filesNewsSchema }),
  comments: z.object({ session: z.string(), comments: z.array(commentViewSchema) }),
  rights: rightsViewSchema,
  cursors: cursorNewsSchema.extend({ session: z.string(), tab: z.string() }),
  goodbye: z.object({ reason: z.string(), retryInMs: z.number().optional() }),
  frame: frameMetaSchema,
} as const;
