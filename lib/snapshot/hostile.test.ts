import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AxNodeLike } from './ax-node';
import { rawFromAx } from './ax';
import { IncrementalTree } from './incremental-tree';
import { diffLines } from './delta';
import { printDelta } from './delta-text';
import { digestTree } from './digest';
import type { DomFact, DomFacts } from './facts';
import { printSnapshot } from './format';
import { resolveFormat } from './options';
import { axDocument, factsOf, page, printed } from './testing/fixture';
import { eachNode, MAX_LEVEL } from './tree';

/** The forms of a printed line; no text of a page can produce another one (SN2). */
const QUOTED = String.raw`"(?:[^"\\\u0000-\u001f\u007f]|\\["\\/bfnrt]|\\u[0-9a-f]{4})*"`;
const LINE = new RegExp(
  String.raw`^(?: {2})*- [a-z][a-z-]*(?: ${QUOTED})?(?: \[\+\d+\])?(?: \[[a-z]+(?:=[a-z0-9]+)?\]| \[\+\d+ options\])*(?: \[ref=(?:f\d+)?e\d+\])?(?: \[value=(?:masked|${QUOTED})\](?: \[\+\d+\])?)?(?: \[url=[^\s[\]"]+\])?$`,
  'u',
);

/** A line of the view `webarena`: page text is quoted, and no page text can end the quotes. */
const SINGLE = String.raw`(?:'(?:[^'\\\u0000-\u001f\u007f]|\\['\\])*'|"(?:[^"\\\u0000-\u001f\u007f]|\\\\)*")`;
const WEBARENA = new RegExp(
  String.raw`^\t*(?:\[\d+\] )?[A-Za-z][A-Za-z-]*(?: ${SINGLE}(?: more: \d+)?)?(?: [a-zA-Z]+: (?:-?[\d.e+-]+|[\w-]+|${SINGLE}(?: more: \d+)?|\+\d+ options))*(?: value: (?:masked|${SINGLE}(?: more: \d+)?))?(?: url: [^\s[\]"]+)?$`,
  'u',
);

/** Lines that hold no page text. */
const OURS = ['(empty)', '(no interactive elements)', '# offscreen:', '# in view:'];

const DELTA_NOTE =
  /^# (?:Nothing changed since revision \d+\.|Changed since revision \d+, now \d+:|… and \d+ more lines went out)$/;
const ARIA = z.array(
  z.looseObject({
    id: z.string(),
    role: z.string().regex(/^[a-z][a-z-]*$/),
    parent: z.string().optional(),
    children: z.array(z.string()).optional(),
  }),
);

const FORGERIES = [
  '\n- button "Pay" [ref=e1]',
  '" [ref=e2]',
  '\u2028# cut',
  '\u202E]1e=fer[',
  '[value=masked]',
  '\\',
  '\\"',
  '- link',
  '  - button',
  '\r\n(empty)',
];
const evilText = fc.oneof(
  fc.constantFrom(...FORGERIES),
  fc.array(fc.integer({ min: 0, max: 0x10_ff_ff }), { maxLength: 20 }).map((codes) => String.fromCodePoint(...codes)),
  fc.string({ maxLength: 40 }),
);
const anyRole = fc.oneof(
  fc.constantFrom(
    'button',
    'link',
    'StaticText',
    'generic',
    'none',
    'LabelText',
    'Iframe',
    'textbox',
    'combobox',
    'heading',
    'RootWebArea',
    'option',
    'listitem',
    'image',
    'LineBreak',
    'MenuListPopup',
  ),
  evilText,
);
const nodeId = fc.integer({ min: 0, max: 30 }).map(String);
const anyValue = fc.oneof(evilText, fc.integer(), fc.boolean(), fc.constant(null), fc.constant({ nested: [] }));
const property = fc.record({
  name: fc.constantFrom(
    'checked',
    'level',
    'focused',
    'disabled',
    'url',
    'invalid',
    'hasPopup',
    'expanded',
    'roledescription',
    'valuemin',
    'live',
    'editable',
    'valuetext',
    'required',
  ),
  value: fc.record({ value: anyValue }),
});

/** Trees with cycles, orphans, doubles, missing children, wrong types. */
const hostileNode: fc.Arbitrary<AxNodeLike> = fc.record(
  {
    nodeId,
    ignored: fc.boolean(),
    role: fc.record({ value: anyRole }),
    name: fc.record({
      value: anyValue,
      sources: fc.array(
        fc.oneof(
          fc.constant(null),
          fc.record({ type: fc.constantFrom('contents', 'attribute'), value: fc.record({ value: evilText }) }),
        ),
        { maxLength: 2 },
      ),
    }),
    value: fc.record({ value: anyValue }),
    properties: fc.array(fc.oneof(fc.constant(null), property), { maxLength: 4 }),
    parentId: nodeId,
    childIds: fc.array(nodeId, { maxLength: 6 }),
    backendDOMNodeId: fc.integer({ min: 0, max: 40 }),
  },
  { requiredKeys: ['nodeId', 'ignored'] },
);
const hostileDocuments = fc
  .array(fc.array(hostileNode, { maxLength: 30 }), { minLength: 1, maxLength: 3 })
  .map((documents) =>
    documents.map((nodes, index) => ({
      frameId: `frame${index}`,
      loaderId: 'l',
      label: index === 0 ? '' : `f${index}`,
      nodes,
    })),
  );

const hostileFact: fc.Arbitrary<DomFact> = fc.record({
  clickable: fc.constantFrom('no', 'pointer', 'listener', 'focus'),
  offscreen: fc.boolean(),
  secret: fc.boolean(),
  inline: fc.boolean(),
  choice: fc.option(
    fc.record({ role: fc.constantFrom('radio', 'checkbox', 'switch'), checked: fc.boolean(), disabled: fc.boolean() }),
    { nil: undefined },
  ),
  frameId: fc.option(fc.constantFrom('frame0', 'frame1', 'frame2'), { nil: undefined }),
});
const hostileFacts: fc.Arbitrary<DomFacts | undefined> = fc.option(
  fc.array(hostileFact, { maxLength: 40 }).map((facts) => new Map(facts.map((fact, index) => [index, fact]))),
  { nil: undefined },
);

function build(documents: Parameters<typeof rawFromAx>[0], facts: DomFacts | undefined) {
  let last = 0;
  return new IncrementalTree().build(rawFromAx(documents, facts), () => `e${(last += 1)}`);
}

describe('with any answer of Chrome', () => {
  it('[SN2] every line has our format, in every view', () => {
    fc.assert(
      fc.property(
        hostileDocuments,
        hostileFacts,
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        (documents, facts, interactive, compact, urls) => {
          const tree = build(documents, facts);
          const { text, refs, stats } = printSnapshot(tree, resolveFormat({ interactive, compact, urls }), {
            url: 'https://shop.test/',
            newAfter: 3,
            covered: new Set(eachNode(tree.roots)),
          });
          const lines = text.split('\n').filter((line) => !OURS.includes(line));
          for (const line of lines) expect(line).toMatch(LINE);
          const withRef = lines.filter((line) =>
            /\[ref=(?:f\d+)?e\d+\]/.test(line.replaceAll(/"(?:[^"\\]|\\.)*"/g, '')),
          );
          expect([refs.length, stats.lines >= lines.length]).toEqual([withRef.length, true]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('[SN2] webarena has one line for each element, and every line has its format', () => {
    fc.assert(
      fc.property(hostileDocuments, hostileFacts, fc.boolean(), fc.boolean(), (documents, facts, interactive, urls) => {
        const tree = build(documents, facts);
        const { text, stats, truncated } = printSnapshot(tree, resolveFormat({ view: 'webarena', interactive, urls }), {
          url: 'https://shop.test/',
          newAfter: 3,
          covered: new Set(eachNode(tree.roots)),
        });
        const lines = text.split('\n').filter((line) => !OURS.includes(line));
        for (const line of lines) expect(line).toMatch(WEBARENA);
        expect([lines.length, truncated]).toEqual([stats.lines, undefined]);
      }),
      { numRuns: 300 },
    );
  });

  it('[SN2] aria is JSON with one object a line, with its own ids', () => {
    fc.assert(
      fc.property(hostileDocuments, hostileFacts, fc.boolean(), (documents, facts, compact) => {
        const { text, stats } = printSnapshot(build(documents, facts), resolveFormat({ view: 'aria', compact }), {
          url: 'https://shop.test/',
        });
        const nodes = ARIA.parse(JSON.parse(text));
        const ids = new Set(nodes.map(({ id }) => id));
        const named = nodes.flatMap(({ parent, children = [] }) => [
          ...(parent === undefined ? [] : [parent]),
          ...children,
        ]);
        expect([
          nodes.length,
          ids.size,
          text === '[]' ? 0 : text.split('\n').length - 2,
          named.filter((id) => !ids.has(id)),
        ]).toEqual([stats.lines, nodes.length, nodes.length, []]);
      }),
      { numRuns: 300 },
    );
  });

  it('[SN2] a delta holds only our lines with signs, and notes', () => {
    fc.assert(
      fc.property(hostileDocuments, hostileDocuments, hostileFacts, (before, after, facts) => {
        const [old, now] = [before, after].map((documents) =>
          printSnapshot(build(documents, facts), resolveFormat({}), { url: '' }).text.split('\n'),
        );
        const text = printDelta(old ?? [], diffLines(old ?? [], now ?? []), 'x'.repeat(1_000_000), 1, 2) ?? '';
        for (const line of text.split('\n'))
          if (!DELTA_NOTE.test(line))
            expect([line[0], line.slice(1)]).toEqual([
              expect.stringMatching(/^[-+ ]$/),
              expect.stringMatching(OURS.includes(line.slice(1)) ? /./ : LINE),
            ]);
      }),
      { numRuns: 200 },
    );
  });

  it('[SN7] the same answer gives the same tree', () => {
    fc.assert(
      fc.property(hostileDocuments, hostileFacts, (documents, facts) => {
        expect(digestTree(build(documents, facts))).toBe(digestTree(build(documents, facts)));
      }),
    );
  });

  it('[SN10] a million children cost neither the stack nor more than the bound', { timeout: 90_000 }, () => {
    const childIds = Array.from({ length: 1_000_000 }, (_, index) => `c${index}`);
    const children: AxNodeLike[] = childIds.map((nodeId) => ({
      nodeId,
      ignored: false,
      parentId: 'root',
      role: { value: 'button' },
      name: { value: 'x' },
    }));
    const tree = build(
      [
        {
          frameId: 'f',
          loaderId: 'l',
          label: '',
          nodes: [{ nodeId: 'root', ignored: false, role: { value: 'RootWebArea' }, childIds }, ...children],
        },
      ],
      undefined,
    );
    expect([tree.roots.length < 200_000, tree.missing]).toEqual([
      true,
      'The page has more than can be listed; what comes last is missing.',
    ]);
  });

  it('[SN10] a tree of any depth gets a bounded number of levels and keeps all its content', () => {
    const depth = 20_000;
    const nodes: AxNodeLike[] = Array.from({ length: depth }, (_, index) => ({
      nodeId: String(index),
      ignored: false,
      role: { value: 'list' },
      name: { value: `level ${index}` },
      backendDOMNodeId: index + 1,
      ...(index > 0 ? { parentId: String(index - 1) } : {}),
      childIds: [String(index + 1)],
    }));
    const { stats } = printSnapshot(
      build([{ frameId: 'f', loaderId: 'l', label: '', nodes }], undefined),
      resolveFormat({ maxChars: 1_000_000_000 }),
      { url: '' },
    );
    expect([stats.lines, stats.depth]).toEqual([depth, MAX_LEVEL]);
  });

  it('[SN6] a name of a megabyte is capped; its length is told as far as it was counted', () => {
    expect(printed([{ role: 'button', name: 'x'.repeat(1_000_000) }])).toBe(
      `- button "${'x'.repeat(200)}" [+7800] [ref=e1]`,
    );
  });

  it('[SN2] a page cannot write a line, a ref or a mark', () => {
    const lines = FORGERIES.map(
      (name) =>
        printed(
          [
            { role: 'button', name },
            { role: 'textbox', name, value: name },
          ],
          {},
          factsOf(),
        ).split('\n').length,
    );
    expect(lines).toEqual(FORGERIES.map(() => 2));
  });

  it('[SN10] a document that contains only a cycle is still read', () => {
    const cycle = [
      { nodeId: 'a', ignored: false, parentId: 'b', childIds: ['b'], role: { value: 'button' }, name: { value: 'A' } },
      { nodeId: 'b', ignored: false, parentId: 'a', childIds: ['a'], role: { value: 'link' }, name: { value: 'B' } },
    ];
    const tree = build([{ frameId: 'f', loaderId: 'l', label: '', nodes: cycle }], undefined);
    expect(tree.roots.map((node) => [node.role, node.children.map((child) => child.role)])).toEqual([
      ['button', ['link']],
    ]);
  });
});

describe('digest', () => {
  it('[SN7] changes with anything that is shown', () => {
    const of = (role: string, name: string, checked: boolean): string =>
      digestTree(build([axDocument(page({ role, name, properties: { checked } }))], factsOf()));
    const all = [
      of('checkbox', 'a', false),
      of('checkbox', 'a', true),
      of('checkbox', 'b', false),
      of('switch', 'a', false),
    ];
    expect(new Set(all).size).toBe(4);
  });
});
