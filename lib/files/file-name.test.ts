import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freeName, nameProblem, safeName } from './file-name';
import { HOSTILE_NAMES } from './testing/hostile-names';

describe('file names', () => {
  it.each(['a.txt', 'Rechnung 2026 (final).pdf', '名前.txt', 'x', 'a-b_c.tar.gz', '$(id)', `${'a'.repeat(56)}.txt`])(
    '[DI2] %j may be used and stays',
    (name) => {
      expect([nameProblem(name), safeName(name)]).toEqual([undefined, name]);
    },
  );

  it.each([
    '',
    '.',
    '..',
    'a/b',
    'a\\b',
    '.hidden',
    'a.',
    ' a',
    'con',
    'NUL.txt',
    'a:b',
    'a\u0000',
    'a\u202Eb',
    'a\nb',
    'ﬁ',
    '\ud800',
    'a'.repeat(61),
  ])('[DI2] %j is refused from a caller', (name) => {
    expect(nameProblem(name)).toEqual(expect.any(String));
  });

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\evil.exe', 'evil.exe'],
    ['.bashrc', 'bashrc'],
    ['con.txt', 'file_con.txt'],
    ['a:b?.txt', 'a_b_.txt'],
    ['', 'file'],
    ['...', 'file'],
    [`${'a'.repeat(90)}.pdf`, `${'a'.repeat(56)}.pdf`],
  ])("[DI2] the page's name %j becomes %j", (suggested, name) => {
    expect(safeName(suggested)).toBe(name);
  });

  it('[T13] any suggestion of a page gives an allowed and free name', () => {
    const names = fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.constantFrom(...HOSTILE_NAMES));
    fc.assert(
      fc.property(names, (suggested) => {
        const name = safeName(suggested);
        const taken = new Set([name, freeName(name, (one) => one === name)]);
        return nameProblem(name) === undefined && nameProblem(freeName(name, (one) => taken.has(one))) === undefined;
      }),
      { numRuns: 3_000 },
    );
  });

  it('[DI2] a name that is taken gets a number before its ending', () => {
    const taken = new Set(['a.txt', 'a (2).txt']);
    expect(freeName('a.txt', (name) => taken.has(name))).toBe('a (3).txt');
  });
});
