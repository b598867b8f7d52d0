import type { PrintedLine } from './line';
import { emptyNote, noteLine } from './lines';
import { isNew, namedRef, shownNodes, statesOf, type PrintInput } from './print';
import { marksOf, type Property } from './properties';
import { askedRole } from './roles';
import { inView } from './select';
import { cap, NAME_LIMIT, originOf, printableUrl, withoutSpaces, TEXT_LIMIT, VALUE_LIMIT } from './text';
import type { SnapshotNode } from './tree';

/** Text is left out if one of this many lines before it contains it. */
const SAID_LINES = 3;

/**
 * Properties that are not printed, and roles that get no line while they have neither name nor property. Source:
 * WebArena, `browser_env`; the last three are newer than WebArena.
 */
const IGNORED = {
  properties: [
    'focusable',
    'editable',
    'readonly',
    'level',
    'settable',
    'multiline',
    'invalid',
    'posinset',
    'setsize',
    'sort',
  ],
  roles: [
    'generic',
    'img',
    'list',
    'strong',
    'paragraph',
    'banner',
    'navigation',
    'Section',
    'LabelText',
    'Legend',
    'listitem',
  ],
} as const;

/** `url` is printed by its own option, `valuenow` is the value. */
const PRINTED_APART = ['url', 'valuenow'];

/**
 * The view `webarena` (SN3): a head with the tabs, then `[12] role 'name' prop: value`, a tab character a level, only
 * what is in view. The numbers are those of our refs, so that `click [12]` of the step language works; every line has
 * one, texts too. Page text is always between quotes, as Python writes it.
 */
export function printWebarena(input: PrintInput): readonly PrintedLine[] {
  const { tabs } = input.about;
  const lines = new WebarenaPrinter(input).print();
  if (!tabs) return lines;
  return [tabsLine(tabs), BLANK, ...(lines.length === 0 ? [noteLine(emptyNote(input.format))] : lines)];
}

const BLANK: PrintedLine = { text: '', level: 0, interactive: false, ref: undefined };
/** More tabs are counted, not named. */
const MOST_TABS = 20;

function tabsLine(tabs: NonNullable<PrintInput['about']['tabs']>): PrintedLine {
  const named = tabs
    .slice(0, MOST_TABS)
    .map(({ title, current }, index) => `Tab ${index}${current ? ' (current)' : ''}: ${quoted(title, NAME_LIMIT)}`);
  const more = tabs.length > MOST_TABS ? [`and ${tabs.length - MOST_TABS} more`] : [];
  return { ...BLANK, text: [...named, ...more].join(' | ') };
}

class WebarenaPrinter {
  readonly #ignored: ReadonlySet<string>;
  readonly #dropped: ReadonlySet<string>;
  readonly #seen: ReadonlySet<SnapshotNode>;

  constructor(private readonly input: PrintInput) {
    const { ignoreProperties = IGNORED.properties, ignoreRoles = IGNORED.roles } = input.format;
    this.#ignored = new Set([...ignoreProperties, ...PRINTED_APART]);
    this.#dropped = new Set(ignoreRoles.map(askedRole));
    this.#seen = inView(input.roots);
  }

  print(): PrintedLine[] {
    const said: string[] = [];
    const lines: PrintedLine[] = [];
    for (const { node, level } of shownNodes(this.input, (each) => this.#passes(each))) {
      const words = withoutSpaces(node.name);
      if (node.role === 'text' && said.slice(-SAID_LINES).some((text) => text.includes(words))) continue;
      said.push(words);
      lines.push(this.#line(node, level));
    }
    return lines;
  }

  #passes(node: SnapshotNode): boolean {
    const { interactive, compact } = this.input.format;
    if (!this.#seen.has(node)) return false;
    if (interactive) return node.interactive;
    return !this.#isBare(node) && (!compact || node.name !== '' || node.interactive);
  }

  /** An empty line: a list item without a name always counts as one. */
  #isBare(node: SnapshotNode): boolean {
    if (node.name !== '' || node.interactive || node.value !== undefined || !this.#dropped.has(node.role)) return false;
    return node.role === 'listitem' || this.#propertiesOf(node).length === 0;
  }

  #propertiesOf(node: SnapshotNode): readonly Property[] {
    return node.properties.filter(([name]) => !this.#ignored.has(name));
  }

  #line(node: SnapshotNode, level: number): PrintedLine {
    const own = this.input.about.refOf?.(node) ?? node.ref;
    const number = own === undefined ? '' : `[${own.slice(1)}] `;
    const role = node.role === 'text' ? 'StaticText' : node.role;
    const name = quoted(node.name, node.role === 'text' ? TEXT_LIMIT : NAME_LIMIT);
    const text = `${'\t'.repeat(level)}${number}${role} ${name}${this.#said(node)}`;
    return {
      text,
      level,
      interactive: node.interactive,
      ref: own === undefined ? undefined : namedRef(this.input, node, own),
    };
  }

  #said(node: SnapshotNode): string {
    const { format, about } = this.input;
    let text = '';
    for (const [name, value] of this.#propertiesOf(node)) text += ` ${name}: ${printed(value)}`;
    for (const mark of marksOf(statesOf(this.input, node))) text += markOf(mark);
    if (isNew(this.input, node)) text += ' new: True';
    if (node.value !== undefined)
      text += ` value: ${node.masked && node.value !== '' ? 'masked' : quoted(node.value, VALUE_LIMIT)}`;
    if (format.urls && node.url !== '') text += ` url: ${printableUrl(node.url, originOf(about.url))}`;
    return text;
  }
}

/** As Python prints it; a text that is not a single word is quoted. */
function printed(value: Property[1]): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'number' || /^[\w-]{1,40}$/.test(value) ? String(value) : quoted(value, VALUE_LIMIT);
}

/** `offscreen` is not printed: a node out of view has a line only as an ancestor of a visible one. */
function markOf(mark: string): string {
  const [key = '', value] = mark.split('=');
  if (key === 'offscreen') return '';
  return mark.startsWith('+') ? ` options: ${mark}` : ` ${key}: ${value ?? 'True'}`;
}

/** As `repr` of Python: `'text'`, or `"it's"`; `'text' more: 12` when 12 characters are left out. */
function quoted(text: string, limit: number): string {
  const { text: shown, more } = cap(text, limit);
  const quote = shown.includes("'") && !shown.includes('"') ? '"' : "'";
  return `${quote}${shown.replace(quote === '"' ? /\\/g : /[\\']/g, (char) => `\\${char}`)}${quote}${more === 0 ? '' : ` more: ${more}`}`;
}
