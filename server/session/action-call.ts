import type { Action } from '@/lib/actions/kinds';
import type { Budget } from '@/lib/budget/budget';
import type { NestedAction, ResolvedTarget } from '@/server/actions/context';
import type { Caller } from './caller';
import type { ActionKey } from './ledger';
import type { SessionTab } from './session-tab';

/** One admitted action on one tab, on its way to Chrome and back. */
export interface ActionCall {
  readonly caller: Caller;
  readonly action: Action;
  /** The action as it was written, when variables were put in: what the timeline is told. */
  readonly asWritten?: Action;
  /** Set for an action inside another. */
  readonly inside?: NestedAction;
  readonly sessionTab: SessionTab;
  readonly budget: Budget;
  readonly key: ActionKey;
  /** ISO 8601. */
  readonly startedAt: string;
  /** What it was done to, as soon as that is known. */
  resolved: ResolvedTarget;
}
