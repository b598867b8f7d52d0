import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import type { EgressPolicy } from '@/lib/egress/policy';
import { navBlocked } from '@/lib/errors/nav-blocked';
import type { Egress } from './egress';

/** The longest check before the navigation goes to Chrome unchecked, milliseconds. */
const ADDRESS_CHECK_MS = 2_000;

/**
 * Throws UNSUPPORTED for a policy that would narrow a session of an attached Chrome: nothing would enforce it, because
 * that Chrome does not use the proxy.
 */
export function demandEnforceable(origin: 'launched' | 'attached', policy: EgressPolicy | undefined): void {
  if (origin === 'launched' || policy === undefined || policy.kind === 'local') return;
  throw new WheelhouseError('UNSUPPORTED', 'Where pages of an attached Chrome go cannot be narrowed.', {
    hint: 'Make the session in a Chrome that Wheelhouse launches: leave out "browser".',
  });
}

/**
 * Checks a navigation before the tab leaves its page. Throws NAV_BLOCKED for an address that the proxy would deny. When
 * the lookup fails or is late, the proxy decides.
 */
export async function demandReachable(
  budget: Budget,
  egress: Egress,
  of: Parameters<Egress['would']>[0],
  url: string,
): Promise<void> {
  try {
    const denied = await budget.within(ADDRESS_CHECK_MS, () => egress.would(of, url));
    if (denied) throw navBlocked(denied);
  } catch (error) {
    if (budget.over || (error instanceof WheelhouseError && error.code === 'NAV_BLOCKED')) throw error;
  }
}
