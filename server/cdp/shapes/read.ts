import type { z } from 'zod';
import { ANSWER_SHAPES } from './answers';
import { EVENT_SHAPES } from './events';

/** What is read of a message that is not in the shape it must have. */
export const MALFORMED = Symbol('malformed');

const events: ReadonlyMap<string, z.ZodType> = new Map(Object.entries(EVENT_SHAPES));
const answers: ReadonlyMap<string, z.ZodType> = new Map(Object.entries(ANSWER_SHAPES));

/** The parameters of an event, bounded; of one that has no shape here as they are. */
export function readEvent(method: string, params: unknown): unknown {
  return read(events.get(method), params);
}

/** The answer to a command, likewise. */
export function readAnswer(method: string, result: unknown): unknown {
  return read(answers.get(method), result);
}

function read(shape: z.ZodType | undefined, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return MALFORMED;
  if (!shape) return value;
  try {
    const parsed = shape.safeParse(value);
    return parsed.success ? parsed.data : MALFORMED;
  } catch {
    // Nested so deep that reading it ran out of stack.
    return MALFORMED;
  }
}
