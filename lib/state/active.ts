import { z } from 'zod';

/**
 * Which tab a session shows first, and which one each participant used last (SE2), by their ids. Kept over restarts of
 * the server.
 */
export const activeSchema = z.object({ tab: z.string().optional(), by: z.record(z.string(), z.string()).default({}) });
export type Active = z.infer<typeof activeSchema>;
