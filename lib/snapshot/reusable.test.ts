import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printSnapshot } from './format';
import { IncrementalTree } from './incremental-tree';
import { resolveFormat, type SnapshotOptions } from './options';
import type { RawNode, RawTree } from './raw';
import { eachNode, type AssignRef, type SnapshotTree } from './tree';

const WORDS = ['', 'Buy', 'Buy now', 'Tea  pot', 'x'];
const look = fc.record({
  kind: fc.constantFrom<RawNode['kind'][]>('element', 'element', 'wrapper', 'wrapper', 'text', 'space'),
  role: fc.constantFrom(
    'button',
    'link',
    'listitem',
    'list',
    'generic',
    'combobox',
    'option',
    'heading',
    'img',
    'paragraph',
    'group',
    'textbox',
  ),
  name: fc.constantFrom(...WORDS),
  nameFromContent: fc.boolean(),
  inline: fc.boolean(),
  leaf: fc.nat(9).map((die) => die === 0),
  label: fc.nat(5).map((die) => die === 0),
  states: fc.constantFrom<(readonly string[])[]>([], [], ['offscreen'], ['selected'], ['checked', 'offscreen']),
  value: fc.option(fc.constantFrom(...WORDS), { nil: undefined }),
  masked: fc.nat(7).map((die) => die === 0),
  url: fc.constantFrom('', 'https://shop.test/a'),
  clickable: fc.constantFrom<RawNode['clickable'][]>('no', 'no', 'pointer', 'listener', 'focus'),
});

const PLAIN: RawNode = {
  parent: -1,
  document: 0,
  kind: 'element',
  role: 'button',
  name: 'b',
  nameFromContent: false,
  inline: false,
  leaf: false,
  label: false,
  states: [],
  value: undefined,
  masked: false,
  url: '',
  backendNodeId: 1,
  clickable: 'no',
};

/**
 * Each node is a child of the node before it or of one of its ancestors, so descendants follow their node. `deep` makes
 * long chains.
 */
const page = fc
  .tuple(fc.array(fc.tuple(look, fc.nat(4)), { minLength: 1, maxLength: 100, size: 'max' }), fc.boolean())
  .map(([nodes, deep]) => {
    const made: RawNode[] = [];
    const path: number[] = [];
    for (const [one, up] of nodes) {
      path.length = Math.max(0, path.length - (deep ? Math.max(0, up - 3) : up));
      const text = one.kind === 'text' || one.kind === 'space';
      made.push({
        ...one,
        role: text ? '' : one.role,
        parent: path.at(-1) ?? -1,
        document: 0,
        backendNodeId: made.length + 1,
      });
      path.push(made.length - 1);
    }
    return made;
  });
const changes = fc.array(fc.array(fc.tuple(fc.nat(99), look), { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 5,
});

const rawOf = (nodes: readonly RawNode[], loaderId = 'l'): RawTree => ({
  documents: [{ frameId: 'main', loaderId, label: '' }],
  nodes,
  overflow: false,
});

/** The same element by the same words has the same ref. */
function table(): AssignRef {
  const given = new Map<string, string>();
  return ({ document, backendNodeId, role, name }) => {
    const key = `${document.loaderId} ${backendNodeId} ${role} ${name}`;
    const ref = given.get(key) ?? `e${given.size + 1}`;
    given.set(key, ref);
    return ref;
  };
}

const FORMS: readonly SnapshotOptions[] = [{ urls: true }, { interactive: true }, { view: 'role', compact: true }];
/** Every third node is covered, and every second ref new, whatever tree they are in. */
const marks = (tree: SnapshotTree, turn: number) => ({
  covered: new Set([...eachNode(tree.roots)].filter(({ order }) => (order + turn) % 3 === 0)),
  newAfter: turn % 2 === 0 ? 3 : undefined,
});
const shown = (tree: SnapshotTree, turn: number): unknown => [
  FORMS.map(
    (form) => printSnapshot(tree, resolveFormat(form), { url: 'https://shop.test/', ...marks(tree, turn) }).text,
  ),
  [...eachNode(tree.roots)].map(({ ref, nth, order, interactive, saidBelow }) => [
    ref,
    nth,
    order,
    interactive,
    saidBelow,
  ]),
];
const lines = (tree: SnapshotTree): string =>
  printSnapshot(tree, resolveFormat({ urls: true }), { url: 'https://shop.test/' }).text;

describe('a tree that reuses parts', () => {
  it('[SN1] equals a tree that is built from nothing, and leaves the former tree unchanged', () => {
    fc.assert(
      fc.property(page, changes, (first, rounds) => {
        const [kept, assign] = [new IncrementalTree(), table()];
        let nodes: readonly RawNode[] = first;
        let before = kept.build(rawOf(nodes), assign);
        for (const [turn, round] of rounds.entries()) {
          const other = new Map(round.map(([at, look]) => [at % nodes.length, look]));
          nodes = nodes
            .map((node, at) => ({ node, look: other.get(at) }))
            .map(({ node, look }) =>
              look ? { ...node, ...look, role: look.kind === 'text' || look.kind === 'space' ? '' : look.role } : node,
            );
          const text = lines(before);
          const now = kept.build(rawOf(nodes), assign);
          expect([shown(now, turn), lines(before)]).toEqual([
            shown(new IncrementalTree().build(rawOf(nodes), assign), turn),
            text,
          ]);
          before = now;
        }
      }),
      { numRuns: 150 },
    );
  });

  it('[SN1] reuses unchanged parts', () => {
    const kept = new IncrementalTree();
    const assign = table();
    const nodes: RawNode[] = ['list', 'listitem', 'button', 'listitem', 'button'].map((role, at) => ({
      ...PLAIN,
      role,
      parent: [-1, 0, 1, 0, 3][at] ?? -1,
      name: `n${at}`,
      backendNodeId: at + 1,
    }));
    const [list] = kept.build(rawOf(nodes), assign).roots;
    const [other] = kept.build(
      rawOf(nodes.map((node, at) => (at === 2 ? { ...node, name: 'new' } : node))),
      assign,
    ).roots;
    expect(other?.children.map((item, at) => item === list?.children[at])).toEqual([false, true]);
  });

  it('[SN4] lists all options with refs when a list is no longer a native one', () => {
    const roles = ['combobox', 'group', ...Array.from({ length: 45 }, () => 'option')];
    const nodes: RawNode[] = roles.map((role, at) => ({
      ...PLAIN,
      role,
      parent: Math.min(at, 2) - 1,
      name: `n${at}`,
      backendNodeId: at + 1,
    }));
    const [kept, assign] = [new IncrementalTree(), table()];
    const before = kept.build(rawOf(nodes), assign);
    const text = lines(before);
    const now = kept.build(rawOf(nodes.map((node, at) => (at === 0 ? { ...node, role: 'listbox' } : node))), assign);
    expect([
      lines(before),
      [...eachNode(now.roots)].filter(({ role, ref }) => role === 'option' && ref !== undefined).length,
    ]).toEqual([text, 45]);
  });

  it('[SN4] is rebuilt when a ref differs, and the former tree keeps its refs', () => {
    const kept = new IncrementalTree();
    const before = kept.build(rawOf([PLAIN]), () => 'e1');
    const now = kept.build(rawOf([PLAIN]), () => 'e2');
    expect([before.roots[0]?.ref, now.roots[0]?.ref]).toEqual(['e1', 'e2']);
  });
});
