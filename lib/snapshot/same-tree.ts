import { sameProperties } from './properties';
import type { SnapshotNode, SnapshotTree } from './tree';

/**
 * Whether two trees show the same; `digestTree` then gives equal fingerprints. Most texts of a kept page are the same
 * strings in memory, which takes no time to compare.
 */
export function isSameTree(one: SnapshotTree, other: SnapshotTree): boolean {
  return one.missing === other.missing && areSame(one.roots, other.roots);
}

function areSame(one: readonly SnapshotNode[], other: readonly SnapshotNode[]): boolean {
  return one.length === other.length && one.every((node, index) => isSame(node, other[index]));
}

function isSame(one: SnapshotNode, other: SnapshotNode | undefined): boolean {
  if (one === other) return true;
  if (
    !other ||
    one.role !== other.role ||
    one.name !== other.name ||
    one.value !== other.value ||
    one.url !== other.url
  )
    return false;
  if (one.ref !== other.ref || one.masked !== other.masked || one.description !== other.description) return false;
  return areSameWords(one.states, other.states) && sameProperties(one, other) && areSame(one.children, other.children);
}

function areSameWords(one: readonly string[], other: readonly string[]): boolean {
  return one === other || (one.length === other.length && one.every((word, index) => word === other[index]));
}
