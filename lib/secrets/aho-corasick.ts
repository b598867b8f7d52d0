export type TextSpan = readonly [from: number, to: number];

/** The mark at the end of a cut text; the cut may go through a secret. */
const CUT = '…'.charCodeAt(0);
/** A shorter prefix right before a cut counts as chance. Characters. */
const LEAST_CUT = 4;
const PAIRS = 0x1_00_00;

/**
 * Finds many literals in one pass, in time linear in the text, whatever the literals are and however they overlap (Aho
 * and Corasick, 1975). Nodes are numbers; 0 is the root. No literal is shorter than two characters.
 */
export class AhoCorasick {
  readonly #parent: Int32Array;
  readonly #char: Uint16Array;
  readonly #depth: Uint16Array;
  /** For each node, the node of its longest proper suffix that is a prefix of a text. */
  readonly #fail: Int32Array;
  /** Length of the longest match that ends at a node: a text, or enough of one. */
  readonly #longest: Uint16Array;
  /** Children by parent and character, with open addressing. */
  readonly #children: Int32Array;
  /** The first two characters of each text, hashed: most positions are skipped by one lookup. */
  readonly #pairs = new Uint8Array(PAIRS);
  #nodes = 1;

  /** @param enough how many characters of a text's beginning count as a match; by default all */
  constructor(texts: readonly string[], enough: (text: string) => number = ({ length }) => length) {
    const most = texts.reduce((sum, { length }) => sum + length, 1);
    this.#parent = new Int32Array(most);
    this.#char = new Uint16Array(most);
    this.#depth = new Uint16Array(most);
    this.#fail = new Int32Array(most);
    this.#longest = new Uint16Array(most);
    this.#children = new Int32Array(2 ** Math.ceil(Math.log2(most * 2)));
    for (const text of texts) this.#add(text, enough(text));
    this.#link();
  }

  /**
   * Ranges of all matches, in order; overlapping and adjacent ones are merged. Includes a prefix right before a cut.
   */
  spans(text: string): TextSpan[] {
    const found: [number, number][] = [];
    for (let at = 0, node = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === CUT && (this.#depth[node] ?? 0) >= LEAST_CUT) put(found, at - (this.#depth[node] ?? 0), at);
      if (node === 0 && this.#pairs[pairOf(code, text.charCodeAt(at + 1))] === 0) continue;
      node = this.#step(node, code);
      const length = this.#longest[node] ?? 0;
      if (length > 0) put(found, at + 1 - length, at + 1);
    }
    return found;
  }

  #add(text: string, enough: number): void {
    let node = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      node = this.#child(node, code) || this.#grow(node, code);
      if (at + 1 >= enough) this.#longest[node] = at + 1;
    }
    this.#pairs[pairOf(text.charCodeAt(0), text.charCodeAt(1))] = 1;
  }

  #grow(parent: number, code: number): number {
    const node = this.#nodes;
    this.#nodes += 1;
    this.#parent[node] = parent;
    this.#char[node] = code;
    this.#depth[node] = (this.#depth[parent] ?? 0) + 1;
    this.#children[this.#slot(parent, code)] = node;
    return node;
  }

  /** In order of depth: nodes nearer to the root must be linked first. */
  #link(): void {
    const order = this.#parent
      .subarray(0, this.#nodes)
      .map((_, node) => node)
      .sort((one, other) => (this.#depth[one] ?? 0) - (this.#depth[other] ?? 0));
    for (const node of order.subarray(1)) {
      const parent = this.#parent[node] ?? 0;
      const fail = parent === 0 ? 0 : this.#step(this.#fail[parent] ?? 0, this.#char[node] ?? 0);
      this.#fail[node] = fail;
      if (this.#longest[node] === 0) this.#longest[node] = this.#longest[fail] ?? 0;
    }
  }

  #step(from: number, code: number): number {
    let node = from;
    let next = this.#child(node, code);
    while (next === 0 && node !== 0) {
      node = this.#fail[node] ?? 0;
      next = this.#child(node, code);
    }
    return next;
  }

  #child(parent: number, code: number): number {
    return this.#children[this.#slot(parent, code)] ?? 0;
  }

  /** The slot of that child, or the free slot for it. */
  #slot(parent: number, code: number): number {
    const last = this.#children.length - 1;
    const hash = Math.imul(Math.imul(parent, 0x9e3779b1) ^ code, 0x85ebca6b);
    for (let slot = (hash ^ (hash >>> 15)) & last; ; slot = (slot + 1) & last) {
      const node = this.#children[slot] ?? 0;
      if (node === 0 || (this.#parent[node] === parent && this.#char[node] === code)) return slot;
    }
  }
}

function pairOf(first: number, second: number): number {
  return (first * 31 + second) & (PAIRS - 1);
}

/** Adds a range and merges overlapping ones. It must not end before the ranges that are there. */
function put(found: [number, number][], from: number, to: number): void {
  let begin = from;
  for (let last = found.at(-1); last && begin <= last[1]; last = found.at(-1)) {
    begin = Math.min(begin, last[0]);
    found.pop();
  }
  found.push([begin, to]);
}
