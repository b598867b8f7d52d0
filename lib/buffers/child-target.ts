import { z } from 'zod';

/** Parts of a tab that Chrome runs apart from its page: frames in other processes, and workers. */
export const CHILD_TARGET_KINDS = ['frame', 'worker', 'shared-worker', 'service-worker'] as const;
export type ChildTargetKind = (typeof CHILD_TARGET_KINDS)[number];

/** Where an entry of a buffer comes from, when that is not the page itself. `url`: page content, masked. */
export const childTargetSchema = z.object({ kind: z.enum(CHILD_TARGET_KINDS), url: z.string() });
export type ChildTargetView = z.infer<typeof childTargetSchema>;
