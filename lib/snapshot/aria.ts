import type { PrintedLine } from './line';
import { isNew, printedRef, shownNodes, statesOf, type PrintInput } from './print';
import { marksOf, type Property } from './properties';
import type { ShownNode } from './select';
import { cap, NAME_LIMIT, originOf, printableUrl, TEXT_LIMIT, VALUE_LIMIT } from './text';

/**
 * The view `aria` (SN3): one JSON object a node, flat, with every property; `parent` and `children` name others by
 * `id`.
 */
export function printAria(input: PrintInput): readonly PrintedLine[] {
  const { format } = input;
  const passes = format.interactive ? (shown: ShownNode['node']): boolean => shown.interactive : keep(format.compact);
  const shown = shownNodes(input, passes);
  const ids = idsOf(input, shown);
  return shown.map((one) => ({
    text: JSON.stringify(objectOf(input, one, ids)),
    level: one.level,
    interactive: one.node.interactive,
    ref: printedRef(input, one.node),
  }));
}

/** Joins the lines to one JSON text. */
export function joinAria(lines: readonly PrintedLine[]): string {
  return lines.length === 0 ? '[]' : `[\n${lines.map((line) => line.text).join(',\n')}\n]`;
}

/** What `joinAria` adds around all lines, and to each, characters. */
export const ARIA_FRAME = { around: 4, each: 2 } as const;

function keep(compact: boolean): (node: ShownNode['node']) => boolean {
  return (node) => !compact || node.interactive || node.name !== '' || node.value !== undefined;
}

function objectOf(
  input: PrintInput,
  { node, parent, children }: ShownNode,
  id: (node: ShownNode['node']) => string,
): object {
  const ref = printedRef(input, node);
  const { text: name, more } = cap(node.name, node.ref === undefined ? TEXT_LIMIT : NAME_LIMIT);
  return {
    id: id(node),
    role: node.role,
    ...(name === '' ? {} : { name }),
    ...(more === 0 ? {} : { nameCut: more }),
    ...(ref === undefined ? {} : { ref: ref.ref }),
    ...nodeOf(input, node),
    ...(node.interactive ? { interactive: true } : {}),
    ...properties(node.properties, originOf(input.about.url)),
    ...marks(marksOf(statesOf(input, node))),
    ...(isNew(input, node) ? { new: true } : {}),
    ...valueOf(node),
    ...(node.description === '' ? {} : { description: cap(node.description, NAME_LIMIT).text }),
    ...(node.url === '' ? {} : { url: printableUrl(node.url, originOf(input.about.url)) }),
    ...(ref?.box ? { box: ref.box } : {}),
    ...(parent ? { parent: id(parent.node) } : {}),
    ...(children.length === 0 ? {} : { children: children.map((child) => id(child.node)) }),
  };
}

function valueOf(node: ShownNode['node']): object {
  if (node.value === undefined) return {};
  if (node.masked) return { value: node.value === '' ? '' : null, masked: true };
  const { text, more } = cap(node.value, VALUE_LIMIT);
  return more === 0 ? { value: text } : { value: text, valueCut: more };
}

/** The node's backend id, and the label of the subframe that the id belongs to. */
function nodeOf({ tree }: PrintInput, { backendNodeId, document }: ShownNode['node']): object {
  const label = tree.documents[document]?.label ?? '';
  return { ...(backendNodeId === undefined ? {} : { backendNodeId }), ...(label === '' ? {} : { frame: label }) };
}

/** Chrome gives these as words, and `busy` as a number. */
const TRISTATE = new Set(['checked', 'pressed', 'invalid']);

/** By Chrome's own names, including unset ones; only `focused` is called `active`, as in every view. */
function properties(given: readonly Property[], origin: string): Record<string, Property[1]> {
  return Object.fromEntries(
    given.map(([name, value]): Property => {
      if (name === 'url') return [name, printableUrl(String(value), origin)];
      if (TRISTATE.has(name) && (value === 'true' || value === 'false')) return [name, value === 'true'];
      if (name === 'busy') return [name, Boolean(value)];
      return [name === 'focused' ? 'active' : name, value];
    }),
  );
}

function marks(states: readonly string[]): Record<string, boolean | number | string> {
  const made: Record<string, boolean | number | string> = {};
  for (const state of states) {
    const [key = '', value] = state.split('=');
    if (/^[a-z]+$/.test(key)) made[key] = value === undefined ? true : /^\d+$/.test(value) ? Number(value) : value;
    else made['moreOptions'] = Number(/\d+/.exec(state)?.[0] ?? 0);
  }
  return made;
}

/** Gives each node its id: its ref if it has one, else its position in this answer. */
function idsOf(input: PrintInput, shown: readonly ShownNode[]): (node: ShownNode['node']) => string {
  const ids = new Map<ShownNode['node'], string>();
  const taken = new Set<string>();
  shown.forEach(({ node }, index) => {
    const ref = printedRef(input, node)?.ref;
    const id = ref === undefined || taken.has(ref) ? `n${index + 1}` : ref;
    taken.add(id);
    ids.set(node, id);
  });
  return (node) => ids.get(node) ?? '';
}
