import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText } from './clean';

describe('cleanText', () => {
  it.each([
    ['two\n lines\tand   gaps', 'two lines and gaps'],
    ['a\u000bb\u0085c\u2028d', 'a b c d'],
    ['a\u0000\u0007\u001bb', 'ab'],
    ['evil\u202Egpj.exe', 'evilgpj.exe'],
    ['ze\u200bro\u2060 \ufeffwidth\u00ad', 'zero width'],
    ['\u{e0041}\u{e0042}tag', 'tag'],
    ['\u3164\u115f filler', 'filler'],
    ['lone \ud800 half', 'lone half'],
    ['中文 and 🙂 stay', '中文 and 🙂 stay'],
    ['  ', ''],
  ])('[GU3] %j is shown as %j', (text, shown) => {
    expect(cleanText(text, 100)).toBe(shown);
  });

  it('[SN6] cuts long text and gives the missing length', () => {
    expect(cleanText('a'.repeat(120), 120)).toBe('a'.repeat(120));
    expect(cleanText('a'.repeat(121), 120)).toBe(`${'a'.repeat(120)}…(+1)`);
    expect(cleanText(`${' '.repeat(5_000)}late`, 100)).toBe('…(+5004)');
  });

  it('[SN6] never cuts a character in half', () => {
    expect(cleanText('abc🙂', 4)).toBe('abc…(+2)');
  });

  it('[GU3] leaves no invisible character, and is bounded', () => {
    const text = fc.string({ unit: 'binary', maxLength: 80 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (dirty, most) => {
        const shown = cleanText(dirty, most);
        return !/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u.test(shown) && shown.length <= most + 10;
      }),
      { numRuns: 2_000 },
    );
  });
});
