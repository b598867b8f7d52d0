import type { SnapshotFormat } from './options';
import { cutNote, fitLines } from './lines';
import { placeLines, type OpenLine, type PrintedRef } from './offscreen';
import { estimateTokens } from './tokens';
import { cap, NAME_LIMIT, originOf, printableUrl, quoted, TEXT_LIMIT, VALUE_LIMIT } from './text';
import type { SnapshotNode, SnapshotTree } from './tree';

export interface PrintedSnapshot {
  readonly text: string;
  readonly refs: readonly PrintedRef[];
  readonly stats: { readonly lines: number; readonly chars: number; readonly tokens: number; readonly refs: number; readonly interactive: number; readonly depth: number };
  readonly truncated: { readonly shownLines: number; readonly totalLines: number; readonly how: string } | undefined;
}

/** Prints a tree, or the part of it below `roots`, in one pass (SN2, SN3). `url` is the page's, for shortening addresses. */
export function printSnapshot(tree: SnapshotTree, format: SnapshotFormat, url: string, roots = tree.roots): PrintedSnapshot {
  const lines = placeLines(new Printer(tree, format, originOf(url)).print(roots));
  const { shown, note } = fitLines(lines, format.maxChars, tree.missing);
  const body = shown.map((line) => line.text);
  if (body.length === 0 && lines.length === 0) body.push(format.interactive ? '(no interactive elements)' : '(empty)');
  const text = [...body, ...(note === undefined ? [] : [note])].join('\n');
  const refs = shown.flatMap((line) => line.ref ?? []);
  const stats = {
    lines: shown.length,
    chars: text.length,
    tokens: estimateTokens(text),
    refs: refs.length,
    interactive: shown.filter((line) => line.interactive).length,
    depth: shown.reduce((deepest, line) => Math.max(deepest, line.level + 1), 0),
  };
  const how = note === undefined ? undefined : cutNote(shown.length, lines.length, format.maxChars, tree.missing);
  return { text, refs, stats, truncated: how === undefined ? undefined : { shownLines: shown.length, totalLines: lines.length, how } };
}

class Printer {
  readonly #lines: OpenLine[] = [];

  constructor(
    private readonly tree: SnapshotTree,
    private readonly format: SnapshotFormat,
    private readonly origin: string,
  ) {}

  print(roots: readonly SnapshotNode[]): readonly OpenLine[] {
    for (const root of roots) this.#visit(root, 0);
    return this.#lines;
  }

  #visit(node: SnapshotNode, level: number): void {
    const shown = this.#passes(node);
    if (shown) this.#lines.push(this.#line(node, level));
    const inner = shown ? level + 1 : level;
    if (inner >= this.format.depth) return;
    for (const child of node.children) this.#visit(child, inner);
  }

  #passes(node: SnapshotNode): boolean {
    const { view, interactive, compact } = this.format;
    if (interactive) return node.interactive;
    if (node.role === 'text') return view === 'ai';
    return !compact || node.interactive || this.#nameOf(node) !== '' || node.value !== undefined;
  }

  /** Where text has no lines, a name is not left to them. */
  #nameOf(node: SnapshotNode): string {
    return node.saidBelow && this.format.view === 'ai' && !this.format.interactive ? '' : node.name;
  }

  #line(node: SnapshotNode, level: number): OpenLine {
    const place = node.role === 'text' ? 'unplaced' : node.states.includes('offscreen') ? 'away' : 'here';
    const base = { head: head(node, this.#nameOf(node), level), level, interactive: node.interactive, place } as const;
    if (node.ref === undefined) return { ...base, tail: this.#tail(node, ''), ref: undefined };
    const ref = `${this.tree.documents[node.document]?.label ?? ''}${node.ref}`;
    const printed = { ref, role: node.role, name: cap(node.name, NAME_LIMIT).text };
    return { ...base, tail: this.#tail(node, ` [ref=${ref}]`), ref: printed };
  }

  #tail(node: SnapshotNode, ref: string): string {
    let tail = ref;
    if (node.masked && node.value !== undefined) tail += ' [value=masked]';
    else if (node.value !== undefined) tail += valueMark(node.value);
    if (this.format.urls && node.url !== '') tail += ` [url=${printableUrl(node.url, this.origin)}]`;
    return tail;
  }
}

function head(node: SnapshotNode, name: string, level: number): string {
  let text = `${'  '.repeat(level)}- ${node.role}`;
  if (name !== '') text += ` ${quoted(name, node.ref === undefined ? TEXT_LIMIT : NAME_LIMIT)}`;
  for (const state of node.states) {
    if (state !== 'offscreen') text += ` [${state}]`;
  }
  return text;
}

function valueMark(value: string): string {
  const { text, more } = cap(value, VALUE_LIMIT);
  return ` [value=${JSON.stringify(text)}]${more === 0 ? '' : ` [+${more}]`}`;
}
