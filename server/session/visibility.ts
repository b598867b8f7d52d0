import type { Budget } from '@/lib/budget/budget';
import type { RowContext } from './timeline';

/** Where a page is, and how it is called. */
export interface PageAddress {
  readonly url: string;
  readonly title: string;
}

/**
 * Who may see which tab of a session (CO8). A feature answers; without one every tab is shown to everybody who may
 * watch the session.
 */
export interface Visibility {
  /** Grows whenever who may see the tab changes: what was read at another number is never handed out. */
  sight(tab: string): number;
  /** The same number; undefined while the tab may not be read. */
  visibilityEpoch(tab: string): number | undefined;
  /** Why this participant may not see the tab, for people; undefined: they may. */
  hides(tab: string, participant: string | undefined): string | undefined;
  /** How the tab is called to this participant, where that is not as it is. */
  placeFor(tab: string, participant: string | undefined): PageAddress | undefined;
  /** Whether nothing of the tab is to be written down. */
  isHeldPrivately(tab: string): boolean;
  /** Whether any tab is hidden. */
  readonly any: boolean;
  /** Whether this participant hides any tab. */
  holds(participant: string): boolean;
  /** Whether the timeline has no words for this row. */
  hidesRow(row: RowContext): boolean;
  /** Throws CONTROL_HELD while the tab is hidden; waits for one that is just being shown again. */
  readable(budget: Budget, tab: string): Promise<void>;
  /** Settles when the tab is not just being shown again. */
  lifted(budget: Budget, tab: string): Promise<void>;
  /** Settles when the page is ready to be typed into unseen, or does not answer. */
  raised(budget: Budget, tab: string): Promise<void>;
  /** A fresh page in the place of one that was left hidden. Throws when it cannot be made. */
  openAnew(tab: string): Promise<void>;
  /** For what reaches into other tabs: throws CONTROL_HELD while another participant hides any tab. */
  demandNone(participant: string): void;
  /** Throws CONTROL_HELD when the tab was hidden since `sight` was read. */
  demandSame(tab: string, sight: number): void;
}

const nothing = (): undefined => undefined;
const never = (): boolean => false;
const atOnce = (): Promise<void> => Promise.resolve();

/** Of a session without a feature that hides tabs. */
export const ALL_VISIBLE: Visibility = {
  sight: () => 0,
  visibilityEpoch: () => 0,
  hides: nothing,
  placeFor: nothing,
  isHeldPrivately: never,
  any: false,
  holds: never,
  hidesRow: never,
  readable: atOnce,
  lifted: atOnce,
  raised: atOnce,
  openAnew: atOnce,
  demandNone: nothing,
  demandSame: nothing,
};
