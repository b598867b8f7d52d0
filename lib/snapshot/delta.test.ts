import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits, diffLines } from './delta';
import { printDelta } from './delta-text';
import { estimateTokens } from './tokens';

/** A few different lines, so that many occur twice, and lines with refs, which occur once. */
const line = fc.oneof(
  fc.constantFrom('- list', '- listitem', '', '- button "A"'),
  fc.integer({ min: 1, max: 40 }).map((number) => `  - link "L" [ref=e${number}]`),
);
const lines = fc.array(line, { maxLength: 60, size: 'max' });

describe('delta', () => {
  it('[SN7] applied to the old lines gives the new lines', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        expect(applyEdits(before, diffLines(before, after))).toEqual(after);
      }),
      { numRuns: 3_000 },
    );
  });

  it('[SN7] is in order, without overlap and without empty edits', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const edits = diffLines(before, after);
        return edits.every(
          (edit, index) =>
            edit.remove + edit.insert.length > 0 &&
            edit.at >= (edits[index - 1]?.at ?? -1) + (edits[index - 1]?.remove ?? 0),
        );
      }),
    );
  });

  it('[SN7] of equal lines is empty', () => {
    fc.assert(fc.property(lines, (same) => void expect(diffLines(same, [...same])).toEqual([])));
  });

  it('[SN7] contains only the changes of a page with unique lines', () => {
    const before = Array.from({ length: 500 }, (_, index) => `- button "B${index}" [ref=e${index}]`);
    const after = before
      .with(7, '- button "Changed" [ref=e900]')
      .toSpliced(400, 2)
      .toSpliced(100, 0, '- link "New" [ref=e901]');
    expect(diffLines(before, after)).toEqual([
      { at: 7, remove: 1, insert: ['- button "Changed" [ref=e900]'] },
      { at: 100, remove: 0, insert: ['- link "New" [ref=e901]'] },
      { at: 400, remove: 2, insert: [] },
    ]);
  });

  it('[SN7] is refused for another text', () => {
    expect(() => applyEdits(['a'], [{ at: 1, remove: 1, insert: [] }])).toThrow(RangeError);
    expect(() =>
      applyEdits(
        ['a', 'b'],
        [
          { at: 1, remove: 1, insert: [] },
          { at: 0, remove: 1, insert: [] },
        ],
      ),
    ).toThrow(RangeError);
  });
});

describe('delta as text', () => {
  const before = [
    '- list "Pots" [ref=e1]',
    '  - listitem',
    '    - button "Small" [ref=e2]',
    '  - listitem',
    '    - button "Large" [ref=e3]',
    ...Array.from({ length: 40 }, (_, index) => `- link "Page ${index}" [ref=e${index + 10}]`),
  ];
  const print = (after: readonly string[]) => printDelta(before, diffLines(before, after), after.join('\n'), 3, 4);

  it('[SN7] names removed and added lines, and their parent line', () => {
    expect(print(before.with(2, '    - button "Sold" [disabled] [ref=e40]'))).toBe(
      '# Changed since revision 3, now 4:\n   - listitem\n-    - button "Small" [ref=e2]\n+    - button "Sold" [disabled] [ref=e40]',
    );
  });

  it('[SN7] names the parent of several changes once', () => {
    expect(
      print(before.with(2, '    - button "A" [ref=e40]').toSpliced(3, 0, '    - button "B" [ref=e41]'))
        ?.split('\n')
        .filter((text) => text.startsWith(' ')),
    ).toEqual(['   - listitem']);
  });

  it('[SN7] quotes only the first of many lines that went out', () => {
    expect(print(before.slice(0, 32))?.split('\n').slice(-2)).toEqual([
      '-- link "Page 32" [ref=e42]',
      '# … and 7 more lines went out',
    ]);
  });

  it('[SN7] without changes is one line', () => expect(print(before)).toBe('# Nothing changed since revision 3.'));

  it('[SN7] is left out when the whole text is shorter', () =>
    expect(print(before.map((text) => text.replace('ref=e', 'ref=e9')))).toBeUndefined());

  it('[SN7] costs under 150 tokens after one change', () => {
    expect(estimateTokens(print(before.with(2, `    - button "${'x'.repeat(100)}" [ref=e40]`)) ?? '')).toBeLessThan(
      150,
    );
  });
});
