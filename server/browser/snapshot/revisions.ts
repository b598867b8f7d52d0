import { digestTree } from '@/lib/snapshot/digest';
import { isSameTree } from '@/lib/snapshot/same';
import type { SnapshotTree } from '@/lib/snapshot/tree';

/** Numbers the states of a tab's page: one more whenever anything that a snapshot can show has changed (SN7). */
export class Revisions {
  /** The last state: its tree while that is kept anyway, else its fingerprint. */
  #last: SnapshotTree | string = '';
  /** What was shown beside it. */
  #more = '';
  #revision = 0;

  /** `more`: what is shown beside the tree. */
  of(tree: SnapshotTree, more: string): number {
    if (more !== this.#more || !this.#isLast(tree)) this.#revision += 1;
    this.#last = tree;
    this.#more = more;
    return this.#revision;
  }

  /** Lets go of the last tree, which nobody keeps any more. */
  letGo(): void {
    if (typeof this.#last !== 'string') this.#last = digestTree(this.#last);
  }

  #isLast(tree: SnapshotTree): boolean {
    return typeof this.#last === 'string' ? this.#last === digestTree(tree) : isSameTree(this.#last, tree);
  }
}
