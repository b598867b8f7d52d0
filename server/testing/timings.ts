import { timingsWith } from '@/server/config/timings';

/** The product's, but a page counts as hung sooner: long for a busy machine, short for a test. */
export const QUICK_HANG = timingsWith({ hang: { everyMs: 500, patienceMs: 1_000 } });
