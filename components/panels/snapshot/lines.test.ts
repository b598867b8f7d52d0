import { describe, expect, it } from 'vitest';
import { readLine } from './line';
import { findLines, newLines, readLines } from './lines';

const texts = (raw: string) => readLine(raw).tokens.map(({ kind, text }) => [kind, text]);

describe('readLine', () => {
  it('[SN2] tells role, name, ref, states and value apart', () => {
    expect(readLine('  - textbox "City" [active] [ref=e31] [value="Brist"]')).toMatchObject({
      depth: 1,
      role: 'textbox',
      name: 'City',
      ref: 'e31',
    });
    expect(texts('  - textbox "City" [active] [ref=e31] [value="Brist"]')).toEqual([
      ['dash', '-'],
      ['role', 'textbox'],
      ['name', '"City"'],
      ['ref', 'e31'],
      ['state', 'active'],
      ['value', '"Brist"'],
    ]);
    expect(texts('- heading "Delivery" [level=1]')).toEqual([
      ['dash', '-'],
      ['role', 'heading'],
      ['name', '"Delivery"'],
      ['state', 'level=1'],
    ]);
  });

  it('[SN2] takes no ref, value or mark out of quoted page text', () => {
    const line = readLine(String.raw`- button "[ref=e1] \"x\" [value=\"y\"]" [ref=e9]`);
    expect([line.ref, line.name]).toEqual(['e9', '[ref=e1] "x" [value="y"]']);
    expect(texts(String.raw`- link "a" [ref=e2] [value="] [ref=e66]"]`).filter(([kind]) => kind === 'ref')).toEqual([
      ['ref', 'e2'],
    ]);
  });

  it('shows what is not a line as it is', () => {
    expect(texts('- paragraph: some words')).toEqual([
      ['dash', '-'],
      ['role', 'paragraph'],
      ['text', 'some words'],
    ]);
    expect(texts('')).toEqual([['text', '']]);
  });

  it('[SN2] knows the notes of the snapshot itself, and takes none for page text', () => {
    expect(
      ['# offscreen:', '# in view:', '(empty)', '(no interactive elements)'].map((raw) => readLine(raw).note),
    ).toEqual(['offscreen', 'inView', 'empty', 'nothingToUse']);
    expect(readLine('# 3 of 9 lines shown.')).toMatchObject({
      note: undefined,
      tokens: [{ kind: 'state', text: '3 of 9 lines shown.' }],
    });
    expect(readLine('- text: (empty)').note).toBeUndefined();
  });
});

describe('lines', () => {
  const before = readLines('- main\n  - button "Buy" [ref=e1]\n  - link "Home" [ref=e2]\n  - link "Home" [ref=e2]');

  it('marks what the text before did not have, counting equal lines', () => {
    const now = readLines(
      '- main\n  - link "Home" [ref=e2]\n    - button "Buy" [ref=e1]\n  - link "Home" [ref=e2]\n  - link "Home" [ref=e2]\n  - alert "Sold out"',
    );
    expect([...newLines(before, now)]).toEqual([4, 5]);
    expect([...newLines(before, readLines('# in view:\n- main'))]).toEqual([]);
    expect([...newLines(before, readLines('- main [offscreen]\n  - button "Buy" [offscreen] [ref=e1]'))]).toEqual([]);
  });

  it('[SN9] finds lines and keeps their parents, not their neighbours', () => {
    const lines = readLines(
      '- banner\n  - link "Cart" [ref=e1]\n- main\n  - group\n    - button "Buy" [ref=e4]\n  - button "Sell" [ref=e5]',
    );
    expect(findLines(lines, 'buy')).toEqual([
      { index: 2, found: false },
      { index: 3, found: false },
      { index: 4, found: true },
    ]);
    expect(findLines(lines, 'E5').map(({ index }) => index)).toEqual([2, 5]);
    expect(findLines(lines, ' ')).toHaveLength(6);
  });
});
