import { z } from 'zod';

/**
 * Building blocks of the schemas. A schema names the fields that the server reads; only these fields are passed on, so
 * no code can read a field that was not checked.
 */

/**
 * An id that Chrome makes (target, frame, session, request, file). It may be used in a path or a database row, so its
 * characters are restricted.
 */
export const id = z.string().regex(/^[\w.:-]{1,200}$/u);
/** An id that may be empty. */
export const idOrNone = z.union([z.literal(''), id]);

/** Text of a page or an endpoint, truncated: a page may write as much as it likes. */
export function words(most: number): z.ZodType<string, string> {
  return z.string().transform((text) => (text.length > most ? text.slice(0, most) : text));
}

export const title = words(4_096);
/** Chrome's own limit is 2 MB; no view shows that much of an address. */
export const address = words(16_384);
export const line = words(1_000);
/** Milliseconds or seconds, sizes, counts: JSON has no NaN, and a number too large for a double is refused. */
export const amount = z.number().min(-1e15).max(1e15);
export const whole = z.int();
/** Headers in Chrome's form. */
export const headers = z.record(z.string(), z.string());
/** Names and values of attributes in turn. */
export const attributes = z.array(z.string()).max(200_000);
