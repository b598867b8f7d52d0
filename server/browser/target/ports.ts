import type { Budget } from '@/lib/budget/budget';
import type { TabInput } from '../input/tab-input';
import type { DialogSignal } from '../input/gesture';
import type { PageWatch } from '../page-watch';
import type { RefEntry, RefTable } from '../refs';
import type { TabFrames } from '../frames/tab-frames';
import type { TabSessions } from '../tab-sessions';
import type { IsolatedWorlds } from './isolated-worlds';

export type RefLookup = Pick<RefTable, 'lookup' | 'byNode'>;

export interface FrameRoleQuery {
  readonly role: string;
  readonly name?: string | undefined;
  readonly nth?: number | undefined;
  /** Restricts the search to this frame's document. */
  readonly frameId?: string | undefined;
}

export interface RoleFinder {
  /**
   * Looks at the page as it is now. Throws NODE_GONE when no element matches, AMBIGUOUS when several do and `nth` is
   * missing.
   */
  findByRole(budget: Budget, query: FrameRoleQuery): Promise<RefEntry>;
  /** The label of a frame (`f1`), once a snapshot gave it one. */
  labelOf(frameId: string): string | undefined;
}

/** The parts of a tab that acting on elements needs. */
export interface TargetTab {
  readonly targetId: string;
  readonly sessions: Pick<TabSessions, 'commands'>;
  readonly page: Pick<PageWatch, 'document'>;
  readonly frames: TabFrames;
  readonly dialogs: DialogSignal;
  readonly worlds: IsolatedWorlds;
  readonly refs: RefLookup;
  readonly snapshots: RoleFinder;
  readonly input: TabInput;
}
