import { createBudget, type Budget } from '@/lib/budget/budget';
import type { Clock } from '@/lib/budget/clock';
import { CommandQueue } from '@/server/session/queue';

/** For what no fault is expected of. */
export function raise(error: unknown): never {
  throw error;
}

/** A command queue of which no fault is expected. */
export const aQueue = (clock: Clock): CommandQueue => new CommandQueue(clock, raise);

/** A budget that a test does not reach. */
export const longBudget = (clock: Clock): Budget => createBudget({ timeoutMs: 120_000, clock });
