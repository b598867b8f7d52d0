import type { Budget } from '@/lib/budget/budget';
import type { TabInput } from '../input/tab-input';
import type { DialogSignal } from '../input/gesture';
import type { PageWatch } from '../page-watch';
import type { TabSessions } from '../tab-sessions';
import type { Worlds } from './worlds';

/** What a ref stands for (SN4). */
export interface RefEntry {
  readonly ref: string;
  readonly targetId: string;
  readonly frameId: string;
  readonly loaderId: string;
  readonly backendNodeId: number;
  readonly role: string;
  readonly name: string;
  /** Which of those with the same role and name in the page, from 0. */
  readonly nth: number;
}

export interface RefLookup {
  /** Throws REF_UNKNOWN or REF_STALE_DOCUMENT. */
  lookup(ref: string): RefEntry;
  /** The ref that a node was given, if any; for naming what is in the way. */
  byNode?(frameId: string, backendNodeId: number): RefEntry | undefined;
}

export interface RoleQuery {
  readonly role: string;
  readonly name?: string | undefined;
  readonly nth?: number | undefined;
}

export interface RoleFinder {
  /** Looks at the page as it is now. Throws NODE_GONE when none fits, AMBIGUOUS when several do and `nth` is missing. */
  findByRole(budget: Budget, query: RoleQuery): Promise<RefEntry>;
}

/** What acting on elements needs of a tab. */
export interface TargetTab {
  readonly targetId: string;
  readonly sessions: Pick<TabSessions, 'commands'>;
  readonly page: Pick<PageWatch, 'document'>;
  readonly dialogs: DialogSignal;
  readonly worlds: Worlds;
  readonly refs: RefLookup;
  readonly snapshots: RoleFinder;
  readonly input: TabInput;
}
