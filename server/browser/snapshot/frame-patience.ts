/**
 * What one frame may take of the time of those who wait for the page: a part of it, and never more than this many
 * milliseconds.
 */
export const PATIENCE = { share: 0.25, mostMs: 2_000 } as const;
