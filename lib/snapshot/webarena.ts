import type { Line } from './line';
import { isNew, printedRef, shownNodes, statesOf, type PrintInput } from './print';
import { inView, type Shown } from './select';
import { cap, NAME_LIMIT, originOf, printableUrl, squeezed, TEXT_LIMIT, VALUE_LIMIT } from './text';

/** Text that one of so many lines before has said is left out. */
const SAID_LINES = 3;

/**
 * The view `webarena` (SN3): a head with the tabs, then `[12] role 'name' prop: value`, a tab character a level, only what is in view. The numbers are
 * those of our refs, so that `click [12]` of the step language fits. Page text stands between single quotes only, with `\` before `'` and `\`.
 */
export function printWebarena(input: PrintInput): readonly Line[] {
  const { roots, format, about } = input;
  const seen = inView(roots);
  const shown = shownNodes(input, (node) => seen.has(node) && (format.interactive ? node.interactive : !format.compact || node.name !== '' || node.interactive));
  const said: string[] = [];
  const lines: Line[] = [];
  for (const { node, level } of shown) {
    const words = squeezed(node.name);
    if (node.role === 'text' && said.slice(-SAID_LINES).some((text) => text.includes(words))) continue;
    said.push(words);
    lines.push({ text: lineOf(input, node, level), level, interactive: node.interactive, ref: printedRef(input, node) });
  }
  return about.tabs ? [tabsLine(about.tabs), BLANK, ...lines] : lines;
}

const BLANK: Line = { text: '', level: 0, interactive: false, ref: undefined };
/** More tabs are counted, not named. */
const MOST_TABS = 20;

function tabsLine(tabs: NonNullable<PrintInput['about']['tabs']>): Line {
  const named = tabs.slice(0, MOST_TABS).map(({ title, current }, index) => `Tab ${index}${current ? ' (current)' : ''}: ${single(title, NAME_LIMIT)}`);
  const more = tabs.length > MOST_TABS ? [`and ${tabs.length - MOST_TABS} more`] : [];
  return { ...BLANK, text: [...named, ...more].join(' | ') };
}

function lineOf(input: PrintInput, node: Shown['node'], level: number): string {
  const number = node.ref === undefined ? '' : `[${node.ref.slice(1)}] `;
  const role = node.role === 'text' ? 'StaticText' : node.role;
  const name = node.name === '' ? '' : ` ${single(node.name, node.ref === undefined ? TEXT_LIMIT : NAME_LIMIT)}`;
  return `${'\t'.repeat(level)}${number}${role}${name}${properties(input, node)}`;
}

function properties(input: PrintInput, node: Shown['node']): string {
  const { format, about } = input;
  let text = '';
  for (const state of statesOf(input, node)) {
    if (state !== 'offscreen') text += property(state);
  }
  if (isNew(input, node)) text += property('new');
  if (node.value !== undefined) text += ` value: ${node.masked ? 'masked' : single(node.value, VALUE_LIMIT)}`;
  if (format.urls && node.url !== '') text += ` url: ${printableUrl(node.url, originOf(about.url))}`;
  return text;
}

/** WebArena's names where it has other ones. */
const RENAMED: ReadonlyMap<string, string> = new Map([['active', 'focused']]);

function property(state: string): string {
  const [key = '', value] = state.split('=');
  if (!/^[a-z]+$/.test(key)) return ` options: ${state}`;
  return ` ${RENAMED.get(key) ?? key}: ${value ?? 'True'}`;
}

/** `'text'`, or `'text' more: 12` when 12 characters are left out. */
function single(text: string, limit: number): string {
  const { text: shown, more } = cap(text, limit);
  return `'${shown.replace(/[\\']/g, (char) => `\\${char}`)}'${more === 0 ? '' : ` more: ${more}`}`;
}
