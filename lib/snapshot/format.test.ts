import { describe, expect, it } from 'vitest';
import { printSnapshot } from './format';
import { resolveFormat } from './options';
import { axDocument, factsOf, named, page, printed, text, treeOf } from './testing/fixture';

const SHOP = [
  {
    role: 'main',
    children: [
      named('heading', 'Pots', { properties: { level: 1 } }),
      {
        role: 'list',
        children: [
          { role: 'listitem', children: [text('Small pot'), named('button', 'Add')] },
          {
            role: 'listitem',
            children: [text('Large pot'), named('link', 'Details', { properties: { url: 'https://shop.test/large' } })],
          },
        ],
      },
    ],
  },
];

describe('views', () => {
  it('[SN3] ai shows text, role does not', () => {
    expect([printed(SHOP), printed(SHOP, { view: 'role' })]).toEqual([
      [
        '- main [ref=e1]',
        '  - heading "Pots" [level=1]',
        '  - list [ref=e2]',
        '    - listitem',
        '      - text "Small pot"',
        '      - button "Add" [ref=e3]',
        '    - listitem',
        '      - text "Large pot"',
        '      - link "Details" [ref=e4]',
      ].join('\n'),
      [
        '- main [ref=e1]',
        '  - heading "Pots" [level=1]',
        '  - list [ref=e2]',
        '    - listitem',
        '      - button "Add" [ref=e3]',
        '    - listitem',
        '      - link "Details" [ref=e4]',
      ].join('\n'),
    ]);
  });

  it('[SN3] role names a heading whose words are not lines of their own there', () => {
    const heading = { role: 'heading', name: 'Cart 2', content: true, children: [text('Cart '), named('link', '2')] };
    expect([printed([heading]), printed([heading], { view: 'role' })]).toEqual([
      '- heading\n  - text "Cart"\n  - link "2" [ref=e1]',
      '- heading "Cart 2"\n  - link "2" [ref=e1]',
    ]);
  });

  it('[SN3] interactive shows only elements that can be acted on', () => {
    expect(printed(SHOP, { interactive: true })).toBe('- button "Add" [ref=e3]\n- link "Details" [ref=e4]');
  });

  it('[SN3] compact leaves out elements without a name', () => {
    expect(printed(SHOP, { view: 'role', compact: true })).toBe(
      '- heading "Pots" [level=1]\n- button "Add" [ref=e3]\n- link "Details" [ref=e4]',
    );
  });

  it('[SN3] depth counts printed levels', () => {
    expect(printed(SHOP, { depth: 2 })).toBe('- main [ref=e1]\n  - heading "Pots" [level=1]\n  - list [ref=e2]');
  });

  it('[SN3] urls adds the addresses of links', () => {
    expect(printed(SHOP, { interactive: true, urls: true })).toBe(
      '- button "Add" [ref=e3]\n- link "Details" [ref=e4] [url=/large]',
    );
  });

  it('[SN3] efficient means interactive, compact, six levels and 10 000 characters; explicit options win', () => {
    expect([
      resolveFormat({ preset: 'efficient' }),
      resolveFormat({ preset: 'efficient', interactive: false, maxChars: 500 }),
    ]).toEqual([
      {
        view: 'ai',
        interactive: true,
        compact: true,
        depth: 6,
        maxChars: 10_000,
        urls: false,
        find: undefined,
        findRegex: undefined,
      },
      {
        view: 'ai',
        interactive: false,
        compact: true,
        depth: 6,
        maxChars: 500,
        urls: false,
        find: undefined,
        findRegex: undefined,
      },
    ]);
  });

  it('[SN2] says when it is empty', () => {
    expect([printed([]), printed([text('Only text')], { interactive: true })]).toEqual([
      '(empty)',
      '(no interactive elements)',
    ]);
  });

  it('[SN2] marks each of a few lines as offscreen', () => {
    expect(
      printed([named('button', 'A'), named('button', 'B', { id: 50 })], {}, factsOf({ 50: { offscreen: true } })),
    ).toBe('- button "A" [ref=e1]\n- button "B" [offscreen] [ref=e2]');
  });

  it('[SN2] encloses many offscreen lines, with text among them, by two notes', () => {
    const buttons = Array.from({ length: 9 }, (_, index) => named('button', `B${index}`, { id: 50 + index }));
    const facts = factsOf(Object.fromEntries([1, 3, 4, 5, 6, 7].map((index) => [50 + index, { offscreen: true }])));
    expect(printed([...buttons.slice(0, 5), text('words'), ...buttons.slice(5)], {}, facts).split('\n')).toEqual([
      '- button "B0" [ref=e1]',
      '- button "B1" [offscreen] [ref=e2]',
      '- button "B2" [ref=e3]',
      '# offscreen:',
      '- button "B3" [ref=e4]',
      '- button "B4" [ref=e5]',
      '- text "words"',
      '- button "B5" [ref=e6]',
      '- button "B6" [ref=e7]',
      '- button "B7" [ref=e8]',
      '# in view:',
      '- button "B8" [ref=e9]',
    ]);
  });
});

describe('cutting', () => {
  const many = [
    { role: 'list', children: Array.from({ length: 100 }, (_, index) => named('button', `Button ${index}`)) },
  ];
  const cut = (maxChars: number) =>
    printSnapshot(treeOf([axDocument(page(...many))], factsOf({}, 500)), resolveFormat({ maxChars }), { url: '' });

  it('[SN3] keeps whole lines, and the note, within maxChars', () => {
    const sizes = [200, 250, 333, 1_000, 2_500];
    expect(sizes.map((size) => cut(size).text.length <= size)).toEqual(sizes.map(() => true));
  });

  it('[SN3] says how much was cut and how to see it', () => {
    const { text: shown, truncated } = cut(400);
    const how =
      '9 of 101 lines shown. Ask again with maxChars above 400, with interactive, or for one part by its ref.';
    expect([shown.split('\n').at(-1), truncated]).toEqual([`# ${how}`, { shownLines: 9, totalLines: 101, how }]);
  });

  it('[SN3] gives refs and stats of the shown lines only', () => {
    const { refs, stats } = cut(400);
    expect([refs.length, refs.at(-1), stats.lines, stats.refs, stats.interactive, stats.depth]).toEqual([
      9,
      { ref: 'e9', role: 'button', name: 'Button 7' },
      9,
      9,
      8,
      2,
    ]);
  });

  it('[SN7] leaves a text that fits unchanged', () => {
    expect([cut(100_000).truncated, cut(100_000).stats.lines]).toEqual([undefined, 101]);
  });
});
