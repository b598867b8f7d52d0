import { describe, expect, it } from 'vitest';
import { parseChord, printChord } from './chord';
import { KEYS } from './keys';

const read = (text: string, mac = false) => {
  const { modifiers, key } = parseChord(text, mac);
  return [...modifiers, key.code].join(' ');
};

describe('parseChord', () => {
  it.each([
    ['Enter', 'Enter'],
    ['esc', 'Escape'],
    ['return', 'Enter'],
    ['del', 'Delete'],
    ['PGDN', 'PageDown'],
    ['a', 'KeyA'],
    ['A', 'Shift KeyA'],
    ['!', 'Shift Digit1'],
    [' ', 'Space'],
    ['space', 'Space'],
    ['+', 'Shift Equal'],
    ['Control++', 'Control Shift Equal'],
    ['Control+plus', 'Control Shift Equal'],
    ['Control+A', 'Control KeyA'],
    ['ctrl+shift+a', 'Control Shift KeyA'],
    ['Shift+Tab', 'Shift Tab'],
    ['cmd+k', 'Meta KeyK'],
    ['Shift', 'ShiftLeft'],
    ['Control+Shift', 'Control ShiftLeft'],
    ['F12', 'F12'],
    ['KeyB', 'KeyB'],
    ['Numpad5', 'Numpad5'],
    [' Control + C ', 'Control KeyC'],
  ])('[AC4] reads %j as %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it('[ST3] ControlOrMeta is Control, and Meta on a Mac', () => {
    expect([read('ControlOrMeta+A'), read('ControlOrMeta+A', true)]).toEqual(['Control KeyA', 'Meta KeyA']);
  });

  it.each([
    ['Entr', '"Entr" in "Entr" is not a key. Did you mean "Enter" or "End"?'],
    ['Contrl+A', '"Contrl" in "Contrl+A" is not a modifier. Did you mean "Control"?'],
    ['hello world', '"hello world" in "hello world" is not a key.'],
    ['', '"" in "" is not a key.'],
    ['中', '"中" in "中" is not a key.'],
  ])('[AC8] refuses %j by name, and suggests near ones', (text, message) => {
    expect(() => parseChord(text, false)).toThrowError(expect.objectContaining({ code: 'BAD_REQUEST', message }));
  });

  it('[ST1] every key survives printing and reading', () => {
    const main = KEYS.filter((key) => key.location === undefined);
    expect(main.map((key) => parseChord(printChord({ modifiers: ['Control'], key }), false).key)).toEqual(main);
  });
});
