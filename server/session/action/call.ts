import type { Action } from '@/lib/actions/kinds';
import type { Reply } from '@/lib/actions/reply';
import type { Budget } from '@/lib/budget/budget';
import { toWire, type WheelhouseError } from '@/lib/errors/error';
import type { NestedAction, ResolvedTarget } from '@/server/actions/context';
import type { Caller } from '../caller';
import type { ActionKey } from '../ledger';
import type { SessionTab } from '../session-tab';

/** An action as a door, or the action around it, asks for it. */
export interface ActionRequest {
  readonly caller: Caller;
  /** The tab name as the request gave it. */
  readonly tabName: string;
  readonly action: Action;
  /** The action before variables were replaced; the timeline shows this one. */
  readonly asWritten?: Action;
  readonly budget: Budget;
  /** The sender's id, or a new one. */
  readonly id: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** The epoch of the lease that the caller, or the action around it, acts under. */
  readonly epoch: number | undefined;
  /** Aborts when the caller can no longer receive the answer. */
  readonly gone?: AbortSignal | undefined;
  /** Set for an action inside another. */
  readonly inside?: NestedAction;
  /** The tab of the action around it. */
  readonly outerTab?: SessionTab;
}

/** A request with its tab, on its way to Chrome and back. */
export interface ActionCall extends ActionRequest {
  readonly sessionTab: SessionTab;
  readonly key: ActionKey;
  /** The element and point it acted on, once known. */
  resolved: ResolvedTarget;
}

/** The failure reply to an action that was not carried out, or not for this caller. */
export function failureReply(
  { id, action, asWritten = action, tabName: tab, startedAt }: ActionRequest,
  error: WheelhouseError,
): Reply {
  return { ok: false, id, kind: asWritten.kind, tab, url: '', startedAt, ms: 0, warnings: [], error: toWire(error) };
}
