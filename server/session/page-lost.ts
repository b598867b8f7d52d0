import { WheelhouseError } from '@/lib/errors/error';
import type { HealthView } from '@/lib/protocol/views';
import { DocumentGone } from '@/server/browser/target/world';
import { CdpError } from '@/server/cdp/protocol';

/**
 * Turns errors of an action whose page went away into REF_STALE_DOCUMENT, TAB_CRASHED or TAB_UNRESPONSIVE; returns any
 * other error unchanged. Before Chrome reports a crash it answers commands with "Target crashed" and input with
 * "Internal error" (measured on Chromium 156).
 */
export function pageLost(tab: { readonly health: Pick<HealthView, 'state'> }, error: unknown): unknown {
  if (error instanceof DocumentGone)
    return new WheelhouseError('REF_STALE_DOCUMENT', 'The page was replaced while the action looked at it.', {
      cause: error,
    });
  if (!(error instanceof CdpError)) return error;
  const lost = error.method.startsWith('Input.') && error.detail === 'Internal error';
  if (error.detail === 'Target crashed' || (lost && tab.health.state === 'crashed'))
    return new WheelhouseError('TAB_CRASHED', { code: 'pageCrashed' }, { cause: error });
  return lost
    ? new WheelhouseError('TAB_UNRESPONSIVE', 'Chrome could not bring the input to the page.', { cause: error })
    : error;
}
