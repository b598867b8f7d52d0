import { z } from 'zod';

/**
 * The orders of the benchmark to its viewer process. The report has pictures per second of each viewer, or milliseconds
 * of each press.
 */
export const orderSchema = z.discriminatedUnion('do', [
  /** Opens viewers; the first `stalled` of them never acknowledge a picture. */
  z.object({
    do: z.literal('open'),
    port: z.number(),
    viewers: z.number(),
    stalled: z.number(),
    kind: z.enum(['socket.io', 'ws']),
  }),
  /** Counts the pictures of every viewer for `ms`. */
  z.object({ do: z.literal('count'), ms: z.number() }),
  /** The first viewer presses and waits for the picture of the effect, `times` times, `pauseMs` apart on average. */
  z.object({ do: z.literal('press'), times: z.number(), pauseMs: z.number() }),
  z.object({ do: z.literal('close') }),
]);
export type ViewerOrder = z.infer<typeof orderSchema>;
