import type { Budget } from '@/lib/budget/budget';
import type { Principal } from '@/server/access/principal';
import type { Authentication } from '@/server/access/authentication';
import { inTime } from '@/server/store/in-time';
import type { Services } from './services';

/**
 * Finds out who is asking, within the budget of the call and `STORE_MS`, because that looks into the store. Throws
 * UNAUTHENTICATED, BAD_REQUEST, STORE_BUSY, and what ends the budget.
 */
export function authenticated(
  budget: Budget,
  { access, clock }: Services,
  request: Parameters<Authentication['requirePrincipal']>[0],
): Promise<Principal> {
  return budget.during('the sign-in', () => inTime(clock, access.authentication.requirePrincipal(request)));
}
