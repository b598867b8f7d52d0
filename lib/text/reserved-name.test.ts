import { describe, expect, it } from 'vitest';
import { reservedName, looksReserved, unreservedName } from './reserved-name';

describe('names that callers give', () => {
  it.each([
    ['plain', 'plain'],
    ['  two   words ', 'two words'],
    ['a\u202Eb\u2066c\u200Bd\uFEFF', 'abcd'],
    ['one\r\ntwo\u2028three\u0085four\tfive', 'one two three four five'],
    ['a\u0000\u001Bb\u007F', 'ab'],
    ['Ünï 名前 😀', 'Ünï 名前 😀'],
  ])('[GU3] %j is kept as %j', (given, kept) => {
    expect(reservedName(120).parse(given)).toBe(kept);
  });

  it('[GU3] refuses a name that is empty after cleaning, and one that is too long', () => {
    expect(
      ['\u202E\u200B', ' ', '', 'x'.repeat(121), 'x'.repeat(500)].map(
        (name) => reservedName(120).safeParse(name).success,
      ),
    ).toEqual([false, false, false, false, false]);
  });

  it.each([
    'Owner',
    'owner',
    'OWNER',
    ' o w n e r ',
    'O.w-n_e.r',
    '0wner',
    'Ow\u200Bner',
    'Оwner',
    'Οωner',
    'Ｏｗｎｅｒ',
    'Öwnér',
    '𝐎𝐰𝐧𝐞𝐫',
    'Ovvner',
    'The Owner',
    'ownеr',
    'Wheelhouse',
    'WHEELHOUSE',
    'Wheel house',
    'Whee1house',
    'wheeIhouse',
    'Wheelh0use',
    'Wһeelhouse',
    'ⓌⒽⒺⒺⓁⒽⓄⓊⓈⒺ',
    'Wheelhou5e',
    'vvheelhouse',
  ])('[GU3] refuses %j', (name) => {
    expect([looksReserved(name), unreservedName(120).safeParse(name).success]).toEqual([true, false]);
  });

  it.each(['Owen', 'Homeowner bot', 'owner-agent', 'Wheel', 'wheelhouse helper', 'Downer', '名前', 'Agent 0'])(
    '[GU3] accepts %j',
    (name) => {
      expect([looksReserved(name), unreservedName(120).parse(name)]).toEqual([false, name]);
    },
  );
});
