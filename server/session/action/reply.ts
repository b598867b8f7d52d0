import { usesScript } from '@/lib/actions/kinds';
import type { Reply } from '@/lib/actions/reply';
import { LATE, within } from '@/lib/async/within';
import { BUDGET_LIMITS } from '@/lib/budget/limits';
import { driven } from '@/lib/control/rules';
import { asWheelhouseError, toWire, WheelhouseError } from '@/lib/errors/error';
import { cleanText } from '@/lib/text/clean';
import { maskAddresses } from '@/lib/text/mask';
import type { ActionOutcome } from '@/server/actions/context';
import { explainMalformed } from '@/server/cdp/endpoint';
import { CdpError, MalformedAnswer } from '@/server/cdp/protocol';
import type { SessionKernel } from '../kernel';
import type { ActionCall } from './call';

const STOP_LOADING = 'Wait longer, or stop it: {"kind":"remedy","do":"stop-loading"}.';
const MAX_ADDRESS = 200;
/** Kept of the grace for sending the answer. Milliseconds. */
const SEND_MS = 10;

/** The reply to an action: what `work` gave or threw, at most at the end of the budget and its grace (BU3). */
export async function replyFrom(kernel: SessionKernel, call: ActionCall, work: Promise<ActionOutcome>): Promise<Reply> {
  const { budget } = call;
  try {
    const graceMs = budget.remainingMs() + BUDGET_LIMITS.graceMs - SEND_MS;
    const outcome = await within(kernel.services.clock, graceMs, work);
    if (outcome !== LATE) return successReply(kernel, call, outcome);
    return failedReply(kernel, call, explained(kernel, call, budget.over ? budget.reason() : undefined));
  } catch (error) {
    return failedReply(kernel, call, explained(kernel, call, error));
  }
}

/** Also for an action that failed and says how far it came. */
function successReply(kernel: SessionKernel, call: ActionCall, result: ActionOutcome): Reply {
  const { warnings, error, ...outcome } = result;
  return {
    ...headOf(kernel, call),
    ...outcome,
    ok: error === undefined,
    warnings: [...(warnings ?? [])],
    ...(error ? { error: toWire(error) } : {}),
  };
}

function failedReply(kernel: SessionKernel, call: ActionCall, error: WheelhouseError): Reply {
  return { ...headOf(kernel, call), ok: false, warnings: [], error: toWire(error) };
}

function headOf(
  kernel: SessionKernel,
  call: ActionCall,
): Pick<Reply, 'id' | 'kind' | 'tab' | 'url' | 'startedAt' | 'ms'> {
  return {
    id: call.id,
    kind: call.action.kind,
    tab: call.sessionTab.tab.id,
    url: addressFor(kernel, call),
    startedAt: call.startedAt,
    ms: Math.round(call.budget.elapsedMs()),
  };
}

/**
 * The page's address in full for the holder, who may need to return to it; for others with its secrets masked (SN6).
 */
function addressFor(
  { visibility, leases }: SessionKernel,
  { sessionTab: { tab }, caller: { principal } }: ActionCall,
): string {
  const hidden = visibility.placeFor(tab.id, principal.id);
  if (hidden) return hidden.url;
  return driven(leases.lease(tab.id))?.holder.id === principal.id ? tab.url : maskAddresses(tab.url);
}

/** The error for the caller; logs a fault of ours. */
function explained({ services }: SessionKernel, { budget, action, id }: ActionCall, error: unknown): WheelhouseError {
  if (budget.over && !(error instanceof WheelhouseError)) return budget.reason();
  if (error instanceof CdpError && !(error instanceof MalformedAnswer))
    return new WheelhouseError('INTERNAL', `Chrome refused: ${error.detail}`, {
      cause: error,
      details: { method: error.method },
    });
  const known = asWheelhouseError(explainMalformed(error));
  if (known.code === 'INTERNAL')
    services.logger.error({ error, action: action.kind, requestId: id }, 'an action failed by a fault of ours');
  return known;
}

/**
 * Turns a TIMEOUT caused by a page that does not answer into an error that says so: then a remedy helps, and waiting
 * does not. Errors of scripts stay as they are.
 */
export function whyLate({ action, sessionTab, budget }: ActionCall, error: unknown): unknown {
  // The page may be the reason that the budget ended: let the heartbeat check it.
  if (budget.over) sessionTab.tab.hangMonitor.doubt();
  if (!(error instanceof WheelhouseError) || error.code !== 'TIMEOUT' || usesScript(action)) return error;
  const { state, said, reason } = sessionTab.tab.health;
  const { awaited } = sessionTab.tab.page;
  if (awaited !== undefined)
    return new WheelhouseError('TIMEOUT', `${error.message} ${cleanText(awaited, MAX_ADDRESS)} has not answered.`, {
      hint: `The page cannot be used until the address that was asked for answers. ${STOP_LOADING}`,
      cause: error,
      details: error.details,
    });
  if (state === 'hung')
    return new WheelhouseError('TAB_UNRESPONSIVE', said ?? reason, { cause: error, details: error.details });
  return error;
}
