import type { Action } from '@/lib/actions/kinds';
import type { ElementName } from '@/lib/actions/describe';

/** An action that was recognised in raw input. */
export interface RecordedAction {
  /** When it began; milliseconds since 1970. */
  readonly at: number;
  readonly action: Action;
  readonly element: (ElementName & { readonly ref?: string | undefined }) | undefined;
  /** The text was not stored: `HIDDEN` replaces it. */
  readonly hidden: boolean;
  /** Characters that were left out at the end of its text. */
  readonly cut: number;
}
