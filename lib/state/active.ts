import { z } from 'zod';

/**
 * The tab that a session shows first, and by participant id the tab that each used last (SE2). Stored, so it survives a
 * restart of the server.
 */
export const activeSchema = z.object({ tab: z.string().optional(), by: z.record(z.string(), z.string()).default({}) });
export type Active = z.infer<typeof activeSchema>;
