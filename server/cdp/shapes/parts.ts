import { z } from 'zod';

/** Pieces of what Chrome says. Only what is read here is checked; all else is let through and read by nobody. */

/**
 * An id that Chrome makes: of a target, frame, session, request, file. It may stand in a path or in a row of the store.
 */
export const id = z.string().regex(/^[\w.:-]{1,200}$/u);
/** One that may be empty. */
export const idOrNone = z.union([z.literal(''), id]);

/** Words of a page or an endpoint: what is too long is cut, since a page may write as much as it likes. */
export function words(most: number): z.ZodType<string, string> {
  return z.string().transform((text) => (text.length > most ? text.slice(0, most) : text));
}

export const title = words(4_096);
/** Chrome itself stops at 2 MB; nobody is shown so much of one. */
export const address = words(16_384);
export const line = words(1_000);
/** Milliseconds or seconds, sizes, counts: JSON has no NaN, and a number too large for a double is refused. */
export const amount = z.number().min(-1e15).max(1e15);
export const whole = z.int();
/** Headers as Chrome tells them. */
export const headers = z.record(z.string(), z.string());
