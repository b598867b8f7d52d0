import { digestTree } from '@/lib/snapshot/digest';
import type { SnapshotTree } from '@/lib/snapshot/tree';

/** Numbers the states of a tab's page: one more whenever anything that a snapshot can show has changed (SN7). */
export class Revisions {
  #digest = '';
  #revision = 0;

  /** `more`: what is shown beside the tree. */
  of(tree: SnapshotTree, more: string): number {
    const digest = `${digestTree(tree)} ${more}`;
    if (digest !== this.#digest) this.#revision += 1;
    this.#digest = digest;
    return this.#revision;
  }
}
