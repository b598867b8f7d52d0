import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cap, clean, originOf, printableUrl, quoted, RAW_LIMIT } from './text';

/** Any code points, lone surrogates among them. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0x10_ff_ff }), { maxLength: 60 })
  .map((codes) => String.fromCodePoint(...codes));

describe('clean', () => {
  it('[SN6] removes characters that may hide, reorder or fake text', () => {
    const bidi = '\u202Eevil\u202C \u2066x\u2069\u200E\u061C';
    const invisible = 'a\u200Bb\u00ADc\u2060d\uFE0Fe\u{E0041}f\u3164g';
    const control = 'x\u0000y\u001B[31mz\u007F\u0085';
    expect([clean(bidi), clean(invisible), clean(control)]).toEqual(['evil x', 'abcdefg', 'xy[31mz']);
  });

  it('[SN6] drops lone surrogates and icon-font characters, keeps real letters and emoji', () => {
    expect(clean('a\uD800b \uE001 Größe 漢字 😀')).toBe('ab Größe 漢字 😀');
  });

  it('[SN2] folds white space into single blanks', () => {
    expect(clean('  one\n\ttwo\u00A0\u2028three  ')).toBe('one two three');
  });

  it('[SN2] never looks at more than a bounded part of a text', () => {
    expect(clean('x'.repeat(RAW_LIMIT * 100))).toHaveLength(RAW_LIMIT);
  });

  it('[SN6] leaves no invisible character in any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(clean(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{DI}\n\r\u2028\u2029]/u);
      }),
    );
  });
});

describe('cap and quoted', () => {
  it('[SN6] caps a name and puts the count outside the quotes', () => {
    expect(quoted('abcdefgh', 5)).toBe('"abcde" [+3]');
  });

  it('[SN2] never cuts through a surrogate pair', () => {
    expect(cap('ab😀cd', 3)).toEqual({ text: 'ab', more: 4 });
  });

  it('[SN2] quotes as JSON does', () => {
    expect(quoted('say "hi" \\ [ref=e1]', 100)).toBe('"say \\"hi\\" \\\\ [ref=e1]"');
  });
});

describe('printableUrl', () => {
  it('[SN2] shortens addresses of the same origin', () => {
    expect(printableUrl('https://shop.test/cart?x=1', originOf('https://shop.test/a/b'))).toBe('/cart?x=1');
  });

  it('[SN2] shows addresses of other origins whole', () => {
    expect(printableUrl('https://shop.test.evil.test/', originOf('https://shop.test/'))).toBe(
      'https://shop.test.evil.test/',
    );
  });

  it('[SN2] cannot close its bracket', () => {
    expect(printableUrl('javascript:x] [ref=e9] "\n- button', '')).toBe(
      'javascript:x%5D%20%5Bref=e9%5D%20%22%20-%20button',
    );
  });

  it('[SN2] cuts long and data addresses', () => {
    expect(printableUrl(`data:text/html,${'x'.repeat(999)}`, '')).toBe(`data:text/html,${'x'.repeat(25)}…`);
  });
});
