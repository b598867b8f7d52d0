import type { Budget } from '@/lib/budget/budget';
import { WheelhouseError } from '@/lib/errors/error';
import type { RowContext } from './timeline';

/** Address and title of a page. */
export interface PageAddress {
  readonly url: string;
  readonly title: string;
}

/**
 * Decides who may see which tab of a session (CO8). A feature implements it; without one every participant with the
 * right to watch sees every tab.
 */
export interface Visibility {
  /**
   * A number that grows whenever a private hold of the tab begins or ends; undefined while the tab may not be read. A
   * reader discards what it read at another number.
   */
  visibilityEpoch(tab: string): number | undefined;
  /** Reason, for people, why this participant may not see the tab; undefined when they may. */
  hides(tab: string, participant: string | undefined): string | undefined;
  /** Replacement address and title for this participant; undefined when they see the real ones. */
  placeFor(tab: string, participant: string | undefined): PageAddress | undefined;
  /** Whether no content of the tab may be stored. */
  isHeldPrivately(tab: string): boolean;
  /** Whether any tab is hidden. */
  readonly any: boolean;
  /** Whether this participant hides any tab. */
  holds(participant: string): boolean;
  /** Whether a tab is shown to this participant and hidden from others, also between hand-back and showing it again. */
  seesHidden(participant: string): boolean;
  /** Whether the timeline stores this row without text. */
  hidesRow(row: RowContext): boolean;
  /** Throws CONTROL_HELD while the tab is hidden; first waits while it is being shown again. */
  readable(budget: Budget, tab: string): Promise<void>;
  /** Waits while the tab is being shown again. */
  lifted(budget: Budget, tab: string): Promise<void>;
  /** Waits until the page is ready for private input, or does not answer. */
  prepared(budget: Budget, tab: string): Promise<void>;
  /** Replaces the page of a tab that was left hidden by a new one. Throws when it cannot be made. */
  openFreshPage(tab: string): Promise<void>;
  /** For actions that reach other tabs: throws CONTROL_HELD while another participant hides any tab. */
  demandNone(participant: string): void;
  /** Throws CONTROL_HELD unless the tab has been visible since `epoch`, its visibility epoch, was read. */
  demandSame(tab: string, epoch: number | undefined): void;
}

/** The error for a read of a page that became private meanwhile (CO8). */
export function privateMeanwhile(): WheelhouseError {
  return new WheelhouseError(
    'CONTROL_HELD',
    { code: 'privateMeanwhile' },
    { hint: { code: 'privateMeanwhileCure' }, details: { private: true } },
  );
}

const nothing = (): undefined => undefined;
const never = (): boolean => false;
const atOnce = (): Promise<void> => Promise.resolve();

/** For a session without a feature that hides tabs. */
export const ALL_VISIBLE: Visibility = {
  visibilityEpoch: () => 0,
  hides: nothing,
  placeFor: nothing,
  isHeldPrivately: never,
  any: false,
  holds: never,
  seesHidden: never,
  hidesRow: never,
  readable: atOnce,
  lifted: atOnce,
  prepared: atOnce,
  openFreshPage: atOnce,
  demandNone: nothing,
  demandSame: nothing,
};
