import type { z } from 'zod';
import type { Budget } from '@/lib/budget/budget';
import { asWheelhouseError } from '@/lib/errors/error';
import { NoName } from '@/server/access/egress/egress';
import type { Services } from '../services';
import type { guardSchema } from './answers';

/** Whether pages may go to an address, as `guard/check` answers it. Throws BAD_REQUEST for text that is no address. */
export async function verdictOn(
  { guard, egress }: Services,
  budget: Budget,
  of: Parameters<Services['egress']['would']>[0],
  text: string,
): Promise<z.infer<typeof guardSchema>> {
  const denied = (rule: string, by: 'server' | 'workspace' | 'session') => ({ allowed: false, rule, by });
  try {
    const url = guard.navigation(text);
    const found = await budget.race(egress.would(of, url));
    return found ? denied(found.rule, found.by) : { allowed: true, rule: null, by: null };
  } catch (thrown) {
    if (asWheelhouseError(thrown).code === 'NAV_BLOCKED') return denied('scheme', 'server');
    if (thrown instanceof NoName) return denied('no-name', 'server');
    throw thrown;
  }
}
