import type { z } from 'zod';
import { MalformedAnswer } from './protocol';

/**
 * Parses the result of one of our scripts in our isolated world. Pages cannot change it, but an endpoint can: throws
 * MalformedAnswer when it does not fit the schema.
 */
export function scriptResult<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new MalformedAnswer('Runtime.callFunctionOn', { cause: parsed.error });
}

/** Parses a result that the script wrote as JSON. */
export function scriptJson<T>(schema: z.ZodType<T>, text: string): T {
  return scriptResult(schema, jsonOf(text));
}

/** Undefined for a text that is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller's schema refuses undefined.
    return undefined;
  }
}
