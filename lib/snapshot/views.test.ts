import { describe, expect, it } from 'vitest';
import { findDocument } from './find';
import { findText } from './text-matches';
import { printSnapshot } from './format';
import { resolveFormat, type SnapshotOptions } from './options';
import { axDocument, factsOf, named, page, printed, text, treeOf, type AxSketch } from './testing/fixture';
import type { SnapshotNode } from './tree';

const FORM = [
  {
    role: 'main',
    children: [
      named('heading', 'Sign in', { properties: { level: 1 } }),
      {
        role: 'textbox',
        name: 'User',
        value: 'ann',
        description: 'Your work address',
        properties: { required: true, focused: true },
        id: 40,
      },
      { role: 'textbox', name: 'Password', value: 'hunter2', id: 41 },
      { role: 'checkbox', name: 'Stay', properties: { checked: 'mixed' } },
      named('link', 'Help', { properties: { url: 'https://shop.test/help' } }),
      { role: 'paragraph', children: [text('No account? '), named('button', 'Join')] },
    ],
  },
];
const FACTS = factsOf({ 41: { secret: true } });
const of = (options: SnapshotOptions, facts = FACTS) => printed(FORM, options, facts);

describe('aria', () => {
  it('[SN3] is a flat list of JSON objects with every property, one a line', () => {
    expect(JSON.parse(of({ view: 'aria' }))).toEqual(
      [
        { id: 'e1', role: 'main', ref: 'e1', children: ['n2', 'e2', 'e3', 'e4', 'e5', 'n7'] },
        { id: 'n2', role: 'heading', name: 'Sign in', level: 1, parent: 'e1' },
        {
          id: 'e2',
          role: 'textbox',
          name: 'User',
          ref: 'e2',
          interactive: true,
          active: true,
          required: true,
          value: 'ann',
          description: 'Your work address',
          parent: 'e1',
        },
        {
          id: 'e3',
          role: 'textbox',
          name: 'Password',
          ref: 'e3',
          interactive: true,
          value: null,
          masked: true,
          parent: 'e1',
        },
        { id: 'e4', role: 'checkbox', name: 'Stay', ref: 'e4', interactive: true, checked: 'mixed', parent: 'e1' },
        { id: 'e5', role: 'link', name: 'Help', ref: 'e5', interactive: true, url: '/help', parent: 'e1' },
        { id: 'n7', role: 'paragraph', parent: 'e1', children: ['n8', 'e6'] },
        { id: 'n8', role: 'text', name: 'No account?', parent: 'n7' },
        { id: 'e6', role: 'button', name: 'Join', ref: 'e6', interactive: true, parent: 'n7' },
      ].map((node) => expect.objectContaining(node)),
    );
  });

  it('[SN3] stays JSON when it is cut, and reports the cut beside it', () => {
    const tree = treeOf([axDocument(page(...FORM))], FACTS);
    const cut = printSnapshot(tree, resolveFormat({ view: 'aria', maxChars: 300 }), { url: '' });
    expect([cut.text.length <= 300, JSON.parse(cut.text), cut.truncated?.shownLines, cut.stats.lines]).toEqual([
      true,
      expect.arrayContaining([expect.objectContaining({ id: 'e1' })]),
      2,
      2,
    ]);
  });

  it('[SN2] of an empty page is an empty list', () => expect(printed([], { view: 'aria' })).toBe('[]'));

  it('[SN3] gives boxes where they are known', () => {
    const tree = treeOf([axDocument(page(named('button', 'A')))]);
    const box = { x: 1, y: 2, width: 3, height: 4 };
    const { text: json, refs } = printSnapshot(tree, resolveFormat({ view: 'aria' }), {
      url: '',
      boxes: new Map([['e1', box]]),
    });
    expect([JSON.parse(json), refs]).toEqual([
      [expect.objectContaining({ id: 'e1', box })],
      [{ ref: 'e1', role: 'button', name: 'A', box }],
    ]);
  });
});

/** The webarena text with a number for each line, assigned as a tab does: elements without one get the next number. */
function arena(parts: readonly AxSketch[], options: SnapshotOptions = {}, facts = factsOf()): string {
  const tree = treeOf([axDocument(page(...parts))], facts);
  const given = new Map<SnapshotNode, string>();
  const refOf = (node: SnapshotNode): string => {
    const ref = node.ref ?? given.get(node) ?? `e${101 + given.size}`;
    if (node.ref === undefined) given.set(node, ref);
    return ref;
  };
  return printSnapshot(tree, resolveFormat({ view: 'webarena', ...options }), { url: 'https://shop.test/', refOf })
    .text;
}

describe('webarena', () => {
  it('[SN3] writes the number of a ref before role and name of every line', () => {
    expect(arena(FORM, { urls: true }, FACTS)).toBe(
      [
        "[1] main ''",
        "\t[101] heading 'Sign in'",
        "\t[2] textbox 'User' required: True focused: True value: 'ann'",
        "\t[3] textbox 'Password' value: masked",
        "\t[4] checkbox 'Stay' checked: mixed",
        "\t[5] link 'Help' url: /help",
        "\t[102] StaticText 'No account?'",
        "\t[6] button 'Join'",
      ].join('\n'),
    );
  });

  it("[SN3] prints unset values as Python does, in Chrome's order, and texts of several words in quotes", () => {
    const parts = [
      named('button', 'Menu', {
        properties: {
          focusable: true,
          invalid: 'false',
          hasPopup: 'menu',
          expanded: false,
          roledescription: "it's odd",
        },
      }),
      { role: 'checkbox', name: 'Gift', properties: { focusable: true, checked: 'false', required: false } },
      {
        role: 'slider',
        name: 'Size',
        value: 3,
        properties: { orientation: 'vertical', valuemin: 0, valuemax: 10.5, valuetext: '' },
      },
    ];
    expect(arena(parts)).toBe(
      [
        `[1] button 'Menu' hasPopup: menu expanded: False roledescription: "it's odd"`,
        "[2] checkbox 'Gift' checked: false required: False",
        "[3] slider 'Size' orientation: vertical valuemin: 0 valuemax: 10.5 valuetext: '' value: '3'",
      ].join('\n'),
    );
  });

  it('[SN3] leaves out nodes without name and property by a list, and nameless list items always; the caller may change both lists', () => {
    const parts = [
      {
        role: 'list',
        children: [{ role: 'listitem', properties: { level: 1 }, children: [text('Words '), named('button', 'A')] }],
      },
      {
        role: 'navigation',
        properties: { busy: true },
        children: [named('heading', 'H', { properties: { level: 2 } })],
      },
    ];
    expect([
      arena(parts),
      arena(parts, { ignoreRoles: ['Navigation'], ignoreProperties: ['busy'] }),
      arena(parts, { ignoreRoles: [] }),
    ]).toEqual([
      "[101] StaticText 'Words'\n[2] button 'A'\n[3] navigation '' busy: True\n\t[102] heading 'H'",
      "[1] list ''\n\t[101] listitem '' level: 1\n\t\t[102] StaticText 'Words'\n\t\t[2] button 'A'\n[103] heading 'H' level: 2",
      "[1] list ''\n\t[101] listitem ''\n\t\t[102] StaticText 'Words'\n\t\t[2] button 'A'\n[3] navigation '' busy: True\n\t[103] heading 'H'",
    ]);
  });

  it('[SN3] quotes as Python does, so that no text ends its quotes', () => {
    expect(arena([text("it's"), { role: 'paragraph', children: [text(`"it's" \\`)] }])).toBe(
      `[101] StaticText "it's"\n[102] paragraph '"it\\'s" \\\\'`,
    );
  });

  it('[SN3] begins with the tabs, and says when nothing is in view', () => {
    const tabs = [
      { title: "Ann's | Tab 9 (current): x", current: false },
      { title: 'Two', current: true },
    ];
    const of = (facts = factsOf(), options: SnapshotOptions = {}) =>
      printSnapshot(
        treeOf([axDocument(page(named('button', 'A', { id: 50 })))], facts),
        resolveFormat({ view: 'webarena', ...options }),
        { url: '', tabs },
      ).text;
    const head = `Tab 0: "Ann's | Tab 9 (current): x" | Tab 1 (current): 'Two'\n\n`;
    const away = factsOf({ 50: { offscreen: true } });
    expect([of(), of(away), of(away, { interactive: true })]).toEqual([
      `${head}[1] button 'A'`,
      `${head}(empty)`,
      `${head}(no interactive elements)`,
    ]);
  });

  it('[SN3] leaves out nodes out of view, but not the ancestors of visible ones', () => {
    const list = {
      role: 'list',
      name: 'Pots',
      id: 60,
      children: [named('button', 'Below', { id: 61 }), named('button', 'Sticky', { id: 62 })],
    };
    const facts = factsOf({ 60: { offscreen: true }, 61: { offscreen: true }, 64: { offscreen: true } });
    expect(printed([list, named('button', 'Away', { id: 64 })], { view: 'webarena' }, facts)).toBe(
      "[1] list 'Pots'\n\t[3] button 'Sticky'",
    );
  });

  it('[SN3] does not repeat the text of the line before', () => {
    const heading = { role: 'heading', name: 'Cart 2', content: true, children: [text('Cart '), named('link', '2')] };
    expect(printed([heading], { view: 'webarena' })).toBe("heading 'Cart 2'\n\t[1] link '2'");
  });

  it('[SN6] shows only whether a secret is filled, and not which option of it is chosen', () => {
    const select = {
      role: 'combobox',
      name: 'Expires',
      value: '07',
      id: 51,
      properties: { expanded: false, valuetext: '07' },
      children: [
        named('option', '07', { properties: { selected: true } }),
        named('option', '08', { properties: { selected: false } }),
      ],
    };
    const facts = factsOf({ 41: { secret: true }, 50: { secret: true }, 51: { secret: true } });
    const parts = [
      { role: 'textbox', name: 'Old', value: '•••', id: 41, properties: { valuetext: 'hunter2' } },
      { role: 'textbox', name: 'New', id: 50 },
      select,
    ];
    expect(arena(parts, {}, facts)).toBe(
      "[1] textbox 'Old' value: masked\n[2] textbox 'New' value: ''\n[3] combobox 'Expires' expanded: False value: masked\n\t[101] option '07'\n\t[102] option '08'",
    );
    expect(JSON.parse(printed(parts, { view: 'aria' }, facts))).toMatchObject([
      { value: null, masked: true },
      { value: '', masked: true },
      { value: null, masked: true },
      { name: '07' },
      { name: '08' },
    ]);
    expect(printed(parts, { view: 'aria' }, facts)).not.toMatch(/hunter2|selected|valuetext/);
  });
});

describe('frames', () => {
  it('[SN3] gives one subframe on request', () => {
    const main = axDocument(page(named('button', 'Out'), { role: 'Iframe', id: 70, name: 'Inner' }));
    const inner = axDocument(page({ role: 'RootWebArea', children: [named('button', 'In')] }), 'inner', 'f1', 100);
    const tree = treeOf([main, inner], factsOf({ 70: { frameId: 'inner' } }));
    const roots = findDocument(tree, 'inner');
    expect([
      roots && printSnapshot(tree, resolveFormat({}), { url: '' }, roots).text,
      findDocument(tree, 'gone'),
    ]).toEqual(['- button "In" [ref=f1e3]', undefined]);
  });
});

describe('find', () => {
  const SHOP = [
    {
      role: 'list',
      children: [
        { role: 'listitem', children: [text('Small pot'), named('button', 'Add')] },
        { role: 'listitem', children: [text('Large pot'), named('link', 'Details')] },
      ],
    },
  ];
  const found = (words: string, options: SnapshotOptions = {}) => {
    const tree = treeOf([axDocument(page(...SHOP))]);
    return printSnapshot(tree, resolveFormat({ ...options, find: words }), {
      url: '',
      found: findText(tree.roots, words),
    });
  };

  it('[SN9] gives the lines with the words below their ancestors, and only their refs', () => {
    const { text: shown, refs, stats } = found('LARGE pot');
    expect([shown, refs.map(({ ref }) => ref), stats.lines]).toEqual([
      '- list [ref=e1]\n  - listitem\n    - text "Large pot"',
      ['e1'],
      3,
    ]);
  });

  it('[SN9] looks at roles, refs and names, in every view', () => {
    expect([
      found('e3').text,
      found('button', { interactive: true }).text,
      found('details', { view: 'webarena' }).text,
    ]).toEqual([
      '- list [ref=e1]\n  - listitem\n    - link "Details" [ref=e3]',
      '- button "Add" [ref=e2]',
      "[3] link 'Details'",
    ]);
  });

  it('[SN9] children that were not found are not named', () => {
    expect(JSON.parse(found('small', { view: 'aria' }).text)).toMatchObject([
      { id: 'e1', children: ['n2'] },
      { id: 'n2', children: ['n3'] },
      { id: 'n3', name: 'Small pot' },
    ]);
  });

  it('[SN9] says when it found nothing', () => expect(found('gravel').text).toBe('(nothing found)'));
});
