import type { Action } from '@/lib/actions/kinds';
import type { Reply } from '@/lib/actions/reply';
import type { Budget } from '@/lib/budget/budget';
import { toWire, type WheelhouseError } from '@/lib/errors/error';
import type { Caller } from './caller';

/** A request to the funnel. */
export interface ActionRequest {
  readonly caller: Caller;
  /** The tab name as the request gave it. */
  readonly tabName: string;
  readonly action: Action;
  readonly budget: Budget;
  /** The sender's id, or a new one. */
  readonly id: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Aborts when the caller can no longer receive the answer. */
  readonly gone: AbortSignal | undefined;
}

/** The failure reply to an action that was not carried out, or not for this caller. */
export function failureReply(
  { id, action: { kind }, tabName: tab, startedAt }: ActionRequest,
  error: WheelhouseError,
): Reply {
  return { ok: false, id, kind, tab, url: '', startedAt, ms: 0, warnings: [], error: toWire(error) };
}
