import type { Action } from '@/lib/actions/kinds';
import type { Reply } from '@/lib/actions/reply';
import type { Budget } from '@/lib/budget/budget';
import { toWire, type WheelhouseError } from '@/lib/errors/error';
import type { Caller } from './caller';

/** What is asked of the funnel, by whom, and who hears the answer. */
export interface ActionRequest {
  readonly caller: Caller;
  /** The tab by the name it was sent to. */
  readonly tabName: string;
  readonly action: Action;
  readonly budget: Budget;
  /** Its sender's, or made for it. */
  readonly id: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Aborted when the caller cannot hear the answer any more. */
  readonly gone: AbortSignal | undefined;
}

/** The reply to what was not carried out, or not for this caller. */
export function failureReply(
  { id, action: { kind }, tabName: tab, startedAt }: ActionRequest,
  error: WheelhouseError,
): Reply {
  return { ok: false, id, kind, tab, url: '', startedAt, ms: 0, warnings: [], error: toWire(error) };
}
