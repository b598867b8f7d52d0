import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesGlob } from './glob';

describe('matchesGlob', () => {
  it.each([
    ['https://shop.test/cart', 'https://shop.test/cart'],
    ['https://shop.test/cart', '**/cart'],
    ['https://shop.test/a/b/cart', 'https://shop.test/**/cart'],
    ['https://shop.test/order/17', '*://*/order/*'],
    ['https://shop.test/cart?step=2', '**/cart?step=2'],
    ['https://shop.test/cart', '**/car?'],
    ['https://shop.test/中文🙂', '**/中文?'],
    ['', ''],
    ['', '**'],
    ['line one\nline two', '**two'],
  ])('[AC1] %j fits %j', (text, glob) => {
    expect(matchesGlob(text, glob)).toBe(true);
  });

  it.each([
    ['https://shop.test/cart', 'cart'],
    ['https://shop.test/a/b', 'https://shop.test/*'],
    ['https://shop.test/cart', 'https://shop.test/car'],
    ['https://shopXtest/', 'https://shop.test/'],
    ['https://shop.test/(x)', '**/(y)'],
    ['a', '?a'],
    ['', '?'],
  ])('[AC1] %j does not fit %j', (text, glob) => {
    expect(matchesGlob(text, glob)).toBe(false);
  });

  it('[AC1] agrees with trying every way to split the text', () => {
    const slow = (text: string, glob: string): boolean => {
      if (glob === '') return text === '';
      const star = glob.startsWith('**') ? '**' : glob.startsWith('*') ? '*' : '';
      if (star === '')
        return text !== '' && (glob[0] === '?' || glob[0] === text[0]) && slow(text.slice(1), glob.slice(1));
      return (
        slow(text, glob.slice(star.length)) ||
        (text !== '' && (star === '**' || text[0] !== '/') && slow(text.slice(1), glob))
      );
    };
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 7 });
    const globs = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*', '?', '**'), maxLength: 6 });
    fc.assert(
      fc.property(texts, globs, (text, glob) => matchesGlob(text, glob) === slow(text, glob)),
      { numRuns: 3_000 },
    );
  });

  it('[AC1] no glob takes time that grows with every wildcard in it', () => {
    expect(matchesGlob('a'.repeat(5_000), `${'**a'.repeat(30)}b`)).toBe(false);
  }, 5_000);

  it('[AC1] gives the same result with a common prefix, and with adjacent stars joined', () => {
    const part = (letters: string[], maxLength: number) => fc.string({ unit: fc.constantFrom(...letters), maxLength });
    fc.assert(
      fc.property(
        part(['a', 'b', '/'], 40),
        part(['a', 'b', '/', '*', '?', '**'], 12),
        fc.nat(70),
        (text, glob, length) => {
          const before = 'x'.repeat(length);
          expect(matchesGlob(before + text, before + glob)).toBe(matchesGlob(text, glob));
          expect(matchesGlob(text, glob.replaceAll(/\*{2,}/g, '***'))).toBe(matchesGlob(text, glob));
        },
      ),
    );
  });
});
