import { setImmediate as turn } from 'node:timers/promises';

/** Processing fewer nodes than this takes about ten milliseconds in all. */
const MANY_NODES = 3_000;

/**
 * Called between two pieces of work on a page of so many nodes: lets everything else that is due run first, where the
 * work is long (SN10).
 */
export async function yieldToEventLoop(nodes: number): Promise<void> {
  if (nodes >= MANY_NODES) await turn();
}
