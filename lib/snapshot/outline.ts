import { OpenLine, placeLines } from './offscreen';
import type { PrintedLine } from './line';
import { isNew, printedRef, shownNodes, statesOf, type PrintInput } from './print';
import type { ShownNode } from './select';
import { cap, maskedValue, NAME_LIMIT, originOf, printableUrl, quoted, TEXT_LIMIT, VALUE_LIMIT } from './text';
import type { SnapshotNode } from './tree';

/** The views `ai` and `role` (SN2, SN3): `- role "name" [state] [ref=e3] [value="…"] [url=…]`, two spaces a level. */
export function printOutline(input: PrintInput): readonly PrintedLine[] {
  return new Outline(input).print();
}

class Outline {
  readonly #origin: string;
  /** Earlier lines of nodes that are still in the tree. */
  readonly #earlierLines: WeakMap<object, OpenLine> | undefined;

  constructor(private readonly input: PrintInput) {
    const { tree, about, format } = input;
    this.#origin = originOf(about.url);
    this.#earlierLines = about.boxes
      ? undefined
      : tree.lines?.of(
          JSON.stringify([
            format.view,
            format.interactive,
            format.urls,
            this.#origin,
            tree.documents.map(({ label }) => label),
          ]),
        );
  }

  print(): readonly PrintedLine[] {
    return placeLines(shownNodes(this.input, (node) => this.#passes(node)).map((shown) => this.#line(shown)));
  }

  #passes(node: SnapshotNode): boolean {
    const { view, interactive, compact } = this.input.format;
    if (interactive) return node.interactive;
    if (node.role === 'text') return view === 'ai';
    return !compact || node.interactive || this.#nameOf(node) !== '' || node.value !== undefined;
  }

  /** Leaves out a name that the text lines below repeat; prints it in forms in which text has no lines. */
  #nameOf(node: SnapshotNode): string {
    const { view, interactive } = this.input.format;
    return node.saidBelow && view === 'ai' && !interactive ? '' : node.name;
  }

  #line(shown: ShownNode): OpenLine {
    const { node, level } = shown;
    const now = { covered: this.input.about.covered?.has(node) === true, isNew: isNew(this.input, node) };
    const known = this.#earlierLines?.get(node);
    if (known?.of.level === level && known.of.covered === now.covered && known.of.isNew === now.isNew) return known;
    const made = this.#newLine(shown, now);
    this.#earlierLines?.set(node, made);
    return made;
  }

  #newLine({ node, level }: ShownNode, now: Pick<OpenLine['of'], 'covered' | 'isNew'>): OpenLine {
    const place = node.role === 'text' ? 'unplaced' : node.states.includes('offscreen') ? 'away' : 'here';
    const ref = printedRef(this.input, node);
    const tail = this.#tail(node, ref === undefined ? '' : `${now.isNew ? ' [new]' : ''} [ref=${ref.ref}]`);
    return new OpenLine({
      head: this.#head(node, level),
      level,
      interactive: node.interactive,
      place,
      tail,
      ref,
      ...now,
    });
  }

  #head(node: SnapshotNode, level: number): string {
    const name = this.#nameOf(node);
    let text = `${'  '.repeat(level)}- ${node.role}`;
    if (name !== '') text += ` ${quoted(name, node.ref === undefined ? TEXT_LIMIT : NAME_LIMIT)}`;
    for (const state of statesOf(this.input, node)) {
      if (state !== 'offscreen') text += ` [${state}]`;
    }
    return text;
  }

  #tail(node: SnapshotNode, ref: string): string {
    let tail = ref;
    if (node.masked && node.value !== undefined) tail += ` [value=${maskedValue(node.value)}]`;
    else if (node.value !== undefined) tail += valueMark(node.value);
    if (this.input.format.urls && node.url !== '') tail += ` [url=${printableUrl(node.url, this.#origin)}]`;
    return tail;
  }
}

function valueMark(value: string): string {
  const { text, more } = cap(value, VALUE_LIMIT);
  return ` [value=${JSON.stringify(text)}]${more === 0 ? '' : ` [+${more}]`}`;
}
