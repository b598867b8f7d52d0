import { setImmediate as turn } from 'node:timers/promises';

/** What is made of fewer nodes than this takes about ten milliseconds in all. */
const MANY_NODES = 3_000;

/**
 * Between two pieces of work on a page of so many nodes: everything else that is due goes first, where the work is long
 * (SN10).
 */
export async function yieldToEventLoop(nodes: number): Promise<void> {
  if (nodes >= MANY_NODES) await turn();
}
