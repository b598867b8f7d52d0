import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AhoCorasick } from './aho-corasick';

/** Which characters are part of some text. */
function covered(texts: readonly string[], text: string): string {
  const marks = [...text].map(() => ' ');
  for (const one of texts)
    for (let at = text.indexOf(one); at >= 0; at = text.indexOf(one, at + 1)) marks.fill('x', at, at + one.length);
  return marks.join('');
}

describe('AhoCorasick', () => {
  it('[T14] finds every text anywhere, even overlapping ones', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 40 });
    const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 2, maxLength: 7 }), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(texts, letters, (wanted, text) => {
        const marks = [...text].map(() => ' ');
        for (const [from, to] of new AhoCorasick(wanted).spans(text)) marks.fill('x', from, to);
        return marks.join('') === covered(wanted, text);
      }),
      { numRuns: 3_000 },
    );
  });

  it('[T14] returns overlapping or touching matches as one, in order', () => {
    expect(new AhoCorasick(['abc', 'cde', 'xx']).spans('abcde xxx abcabc')).toEqual([
      [0, 5],
      [6, 9],
      [10, 16],
    ]);
  });

  it('[T14] finds the beginning of a text right before a cut, and nowhere else', () => {
    expect(new AhoCorasick(['hunter2']).spans('hunt hun… hunte…')).toEqual([[10, 15]]);
  });

  it('[T14] has no texts to find', () => {
    expect(new AhoCorasick([]).spans('anything')).toEqual([]);
  });
});
