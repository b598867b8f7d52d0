import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import { navBlocked } from '@/lib/errors/nav-blocked';
import type { Egress } from './egress';

/** The longest check before the navigation goes to Chrome unchecked, milliseconds. */
const ADDRESS_CHECK_MS = 2_000;

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
