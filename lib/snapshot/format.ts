import type { SnapshotFormat } from './options';
import { cutNote, fitLines, type Line } from './lines';
import { estimateTokens } from './tokens';
import { cap, NAME_LIMIT, originOf, printableUrl, quoted, TEXT_LIMIT, VALUE_LIMIT } from './text';
import type { SnapshotNode, SnapshotTree } from './tree';

export interface PrintedRef {
  /** As printed, with the label of its subframe: `f1e12`. */
  readonly ref: string;
  readonly role: string;
  readonly name: string;
}

export interface PrintedSnapshot {
  readonly text: string;
  readonly refs: readonly PrintedRef[];
  readonly stats: { readonly lines: number; readonly chars: number; readonly tokens: number; readonly refs: number; readonly interactive: number; readonly depth: number };
  readonly truncated: { readonly shownLines: number; readonly totalLines: number; readonly how: string } | undefined;
}

/** Prints a tree, or the part of it below `roots`, in one pass (SN2, SN3). `url` is the page's, for shortening addresses. */
export function printSnapshot(tree: SnapshotTree, format: SnapshotFormat, url: string, roots = tree.roots): PrintedSnapshot {
  const lines = new Printer(tree, format, originOf(url)).print(roots);
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
  readonly #lines: Line[] = [];

  constructor(
    private readonly tree: SnapshotTree,
    private readonly format: SnapshotFormat,
    private readonly origin: string,
  ) {}

  print(roots: readonly SnapshotNode[]): readonly Line[] {
    for (const root of roots) this.#visit(root, 0, false);
    return this.#lines;
  }

  /** `away`: a line above says already that all of this is offscreen. */
  #visit(node: SnapshotNode, level: number, away: boolean): void {
    const shown = this.#passes(node);
    if (shown) this.#lines.push(this.#line(node, level, away));
    const inner = shown ? level + 1 : level;
    if (inner >= this.format.depth) return;
    const innerAway = away || (shown && saysOffscreen(node));
    for (const child of node.children) this.#visit(child, inner, innerAway);
  }

  #passes(node: SnapshotNode): boolean {
    const { view, interactive, compact } = this.format;
    if (interactive) return node.interactive;
    if (node.role === 'text') return view === 'ai';
    return !compact || node.interactive || node.name !== '' || node.value !== undefined;
  }

  #line(node: SnapshotNode, level: number, away: boolean): Line {
    const ref = node.ref === undefined ? undefined : `${this.tree.documents[node.document]?.label ?? ''}${node.ref}`;
    const printed = ref === undefined ? undefined : { ref, role: node.role, name: cap(node.name, NAME_LIMIT).text };
    return { text: this.#text(node, level, ref, away), level, interactive: node.interactive, ref: printed };
  }

  #text(node: SnapshotNode, level: number, ref: string | undefined, away: boolean): string {
    let text = `${'  '.repeat(level)}- ${node.role}`;
    if (node.name !== '') text += ` ${quoted(node.name, node.ref === undefined ? TEXT_LIMIT : NAME_LIMIT)}`;
    for (const state of node.states) {
      if (state !== 'offscreen' || (!away && saysOffscreen(node))) text += ` [${state}]`;
    }
    if (ref !== undefined) text += ` [ref=${ref}]`;
    if (node.masked && node.value !== undefined) text += ' [value=masked]';
    else if (node.value !== undefined) text += valueMark(node.value);
    if (this.format.urls && node.url !== '') text += ` [url=${printableUrl(node.url, this.origin)}]`;
    return text;
  }
}

/** Only what can be asked for by ref says so: a mark on every line of text would cost more than it tells. */
function saysOffscreen(node: SnapshotNode): boolean {
  return node.ref !== undefined && node.states.includes('offscreen');
}

function valueMark(value: string): string {
  const { text, more } = cap(value, VALUE_LIMIT);
  return ` [value=${JSON.stringify(text)}]${more === 0 ? '' : ` [+${more}]`}`;
}
