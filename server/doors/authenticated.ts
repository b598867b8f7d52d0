import type { Budget } from '@/lib/budget/budget';
import type { Principal } from '@/server/access/principal';
import type { SignIn } from '@/server/access/sign-in';
import { inTime } from '@/server/store/in-time';
import type { Services } from './services';

/**
 * Finds out who is asking, within the budget of the call and `STORE_MS`, because that looks into the store. Throws
 * UNAUTHENTICATED, BAD_REQUEST, STORE_BUSY, and what ends the budget.
 */
export function authenticated(
  budget: Budget,
  { access, clock }: Services,
  request: Parameters<SignIn['requirePrincipal']>[0],
): Promise<Principal> {
  return budget.during('the sign-in', () => inTime(clock, access.signIn.requirePrincipal(request)));
}
