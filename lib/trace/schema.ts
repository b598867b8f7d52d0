import { z } from 'zod';
import { fileSchema } from '@/lib/files/views';

/**
 * Why a trace ended: on request, its time or size limit was reached, the lease went to another participant, or a page
 * of the session became private.
 */
export const traceEndSchema = z.enum(['stop', 'time', 'full', 'wheel', 'private']);
export type TraceEnd = z.infer<typeof traceEndSchema>;

/** A trace that was kept. */
export const traceKeptSchema = z.object({
  /** Its file among those of the session: GET …/files/:name. */
  file: fileSchema,
  ended: traceEndSchema,
  /** Milliseconds that it ran. */
  ms: z.number(),
  events: z.number(),
  /** Events of other pages and of Chrome itself, which are never given out. */
  leftOut: z.number(),
  /** Chrome or the file had no more room: the trace is not whole. */
  cut: z.boolean(),
});
export type TraceKept = z.infer<typeof traceKeptSchema>;

export const traceStateSchema = z.object({
  running: z.boolean(),
  /** Milliseconds until it ends by itself. */
  leftMs: z.number().optional(),
  screenshots: z.boolean().optional(),
  /** The last one of this tab. */
  kept: traceKeptSchema.optional(),
});
export type TraceState = z.infer<typeof traceStateSchema>;
