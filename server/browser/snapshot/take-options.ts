import type { SnapshotOptions } from '@/lib/snapshot/options';
import type { TabTitle } from '@/lib/snapshot/print';

/** Options of a tab's snapshot, including those that callers of the doors cannot set. */
export type TakeOptions = SnapshotOptions & {
  /** Print only what is below this element. */
  readonly rootRef?: string | undefined;
  /** The same for an element without a ref, named by the ids of `DOM.describeNode`. */
  readonly rootNode?: { readonly frameId: string; readonly backendNodeId: number } | undefined;
  /** For the head of the view `webarena`; only this tab when absent. */
  readonly tabs?: readonly TabTitle[] | undefined;
  /** The reader for whom elements that are new since its last look are marked. */
  readonly reader?: string | undefined;
  /** The participant whose turn a search by pattern uses; the reader when absent. */
  readonly asker?: string | undefined;
};
