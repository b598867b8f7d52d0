import type { SnapshotOptions } from '@/lib/snapshot/options';
import type { TabTitle } from '@/lib/snapshot/print';

/** What may be asked of a tab's snapshot, beside what callers of the doors write. */
export type TakeOptions = SnapshotOptions & {
  /** Print only what is below this element. */
  readonly rootRef?: string | undefined;
  /** The same for an element without a ref, as `DOM.describeNode` names it. */
  readonly rootNode?: { readonly frameId: string; readonly backendNodeId: number } | undefined;
  /** For the head of the view `webarena`; this tab alone when absent. */
  readonly tabs?: readonly TabTitle[] | undefined;
  /** Who asks: what came since it looked last is marked as new. */
  readonly reader?: string | undefined;
  /** The participant whose turn a search by pattern is; the reader when absent. */
  readonly asker?: string | undefined;
};
