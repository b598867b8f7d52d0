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
  /** The action before variables were replaced; the timeline shows this one. */
  readonly asWritten?: Action;
  /** Set for a nested action. */
  readonly inside?: NestedAction;
  readonly sessionTab: SessionTab;
  readonly budget: Budget;
  readonly key: ActionKey;
  /** ISO 8601. */
  readonly startedAt: string;
  /** The element and point it acted on, once known. */
  resolved: ResolvedTarget;
}
