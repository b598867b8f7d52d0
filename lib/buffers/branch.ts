import { z } from 'zod';

/** Parts of a tab that Chrome runs apart from its page: frames in other processes, and workers. */
export const BRANCH_KINDS = ['frame', 'worker', 'shared-worker', 'service-worker'] as const;
export type BranchKind = (typeof BRANCH_KINDS)[number];

/** Where an entry of a ring comes from, when that is not the page itself. `url`: page content, masked. */
export const branchSchema = z.object({ kind: z.enum(BRANCH_KINDS), url: z.string() });
export type BranchView = z.infer<typeof branchSchema>;
