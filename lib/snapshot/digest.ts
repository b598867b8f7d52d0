import { eachNode, type SnapshotNode, type SnapshotTree } from './tree';

/**
 * A short fingerprint of all that a snapshot can show: equal trees have equal ones, and a change of anything shown
 * changes it (SN4, revisions).
 */
export function digestTree(tree: SnapshotTree): string {
  return digest(tree, ({ states, properties }) => `${states.join(' ')} ${properties.join()}`);
}

/** States that depend on focus or pointer. */
const BY_LOOKING = new Set(['active', 'offscreen', 'covered']);

/** A fingerprint of the page's content, ignoring focus and scrolling: tells whether an action had an effect. */
export function digestContent(tree: SnapshotTree): string {
  return digest(tree, ({ states }) => states.filter((state) => !BY_LOOKING.has(state)).join(' '));
}

function digest(tree: SnapshotTree, statesOf: (node: SnapshotNode) => string): string {
  const hash = new Hash();
  for (const node of eachNode(tree.roots)) {
    hash.add(node.role);
    hash.add(node.name);
    hash.add(node.value ?? '');
    hash.add(statesOf(node));
    hash.add(node.url);
    hash.add(node.description);
    hash.add(`${node.ref ?? ''} ${node.masked ? 1 : 0} ${node.children.length}`);
  }
  hash.add(tree.missing ?? '');
  return hash.digest();
}

/** Two 32-bit multiplicative hashes with different constants; not for security, only to notice changes. */
class Hash {
  #a = 0x9e3779b9;
  #b = 0x85ebca6b;

  add(text: string): void {
    for (let index = 0; index < text.length; index += 1) this.#mix(text.charCodeAt(index));
    this.#mix(0x1_0000);
  }

  digest(): string {
    return `${(this.#a >>> 0).toString(36)}-${(this.#b >>> 0).toString(36)}`;
  }

  #mix(code: number): void {
    this.#a = Math.imul(this.#a ^ code, 0x01000193);
    this.#b = Math.imul(this.#b ^ code, 0x5bd1e995);
    this.#b ^= this.#b >>> 15;
  }
}
