import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import { navBlocked } from '@/lib/errors/nav-blocked';
import type { Egress } from './egress';

/** A name that is not known within this is Chrome's to look up. Milliseconds. */
const LOOK_MS = 2_000;

/**
 * Asked before the page that is shown is left. Throws NAV_BLOCKED for an address that the proxy would let no page
 * reach; what cannot be told yet is for the proxy.
 */
export async function demandReachable(budget: Budget, egress: Egress, url: string): Promise<void> {
  try {
    const denied = await budget.within(LOOK_MS, () => egress.would(url));
    if (denied) throw navBlocked(denied);
  } catch (error) {
    if (budget.over || (error instanceof WheelhouseError && error.code === 'NAV_BLOCKED')) throw error;
  }
}
