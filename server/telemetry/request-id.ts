import { randomBytes } from 'node:crypto';

const SAFE = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * The id under which one request is logged and answered: the client's `X-Request-Id` when it is safe to repeat, else a
 * new one.
 */
export function requestId(offered?: string | readonly string[]): string {
  return typeof offered === 'string' && SAFE.test(offered) ? offered : `r_${randomBytes(9).toString('base64url')}`;
}
