import type { z } from 'zod';
import { MalformedAnswer } from './protocol';

/**
 * The result of a script of ours in a world of ours, parsed. A page cannot change it, an endpoint can: throws
 * MalformedAnswer when it has another shape.
 */
export function scriptResult<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new MalformedAnswer('Runtime.callFunctionOn', { cause: parsed.error });
}

/** The same of a result that the script wrote as JSON. */
export function scriptJson<T>(schema: z.ZodType<T>, text: string): T {
  return scriptResult(schema, jsonOf(text));
}

/** Undefined for a text that is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller says what came instead.
    return undefined;
  }
}
