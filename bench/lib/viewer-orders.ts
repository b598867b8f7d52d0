import { z } from 'zod';

/** What the benchmark tells its process of viewers, and what that answers: one order, one report. */
export const orderSchema = z.discriminatedUnion('do', [
  /** Opens viewers; the first `stalled` of them never acknowledge a picture. */
  z.object({
    do: z.literal('open'),
    port: z.number(),
    viewers: z.number(),
    stalled: z.number(),
    kind: z.enum(['socket.io', 'ws']),
  }),
  /** Counts the pictures of every viewer for a time. */
  z.object({ do: z.literal('count'), ms: z.number() }),
  /** The first viewer presses and waits for the picture of it, `times` times, `pauseMs` apart on average. */
  z.object({ do: z.literal('press'), times: z.number(), pauseMs: z.number() }),
  z.object({ do: z.literal('close') }),
]);
export type ViewerOrder = z.infer<typeof orderSchema>;

/** Pictures per second of each viewer; or milliseconds of each press; or nothing. */
export const reportSchema = z.object({ figures: z.array(z.number()) });
