import { describe, expect, it } from 'vitest';
import { clipboardVerb } from './clipboard-chord';
import { keyDownFields, keyUpFields, personKeyFields, type PersonKey } from './key-event';
import { keyByCode, type KeyDefinition } from './keys';
import { settleModifiers } from './modifiers';

const key = (code: string): KeyDefinition => keyByCode(code) ?? { code: '', key: '', keyCode: 0 };
const person = (over: Partial<PersonKey>): PersonKey => ({
  type: 'keydown',
  key: 'a',
  code: 'KeyA',
  location: 0,
  repeat: false,
  modifiers: 0,
  ...over,
});

describe('events of key definitions', () => {
  it('[AC4] a plain key carries its text, with Shift the shifted text; a shortcut carries none', () => {
    expect(keyDownFields(key('Digit1'), 0)).toMatchObject({
      type: 'keyDown',
      key: '1',
      text: '1',
      windowsVirtualKeyCode: 49,
    });
    expect(keyDownFields(key('Digit1'), 8)).toMatchObject({
      type: 'keyDown',
      key: '!',
      text: '!',
      unmodifiedText: '1',
      modifiers: 8,
    });
    expect(keyDownFields(key('KeyC'), 2)).toEqual({
      type: 'rawKeyDown',
      key: 'c',
      code: 'KeyC',
      windowsVirtualKeyCode: 67,
      nativeVirtualKeyCode: 67,
      modifiers: 2,
    });
  });

  it('[AC4] Enter types a carriage return; keys of the numeric pad and sided modifiers give their location', () => {
    expect(keyDownFields(key('Enter'), 0)).toMatchObject({ type: 'keyDown', text: '\r' });
    expect(keyDownFields(key('Numpad4'), 0)).toMatchObject({ isKeypad: true, text: '4' });
    expect(keyUpFields(key('ShiftRight'), 0)).toMatchObject({ type: 'keyUp', location: 2, windowsVirtualKeyCode: 16 });
  });

  it('[AC4] on a Mac the editing shortcuts are spelled out for Chrome', () => {
    expect(keyDownFields(key('KeyA'), 4, { mac: true }).commands).toEqual(['selectAll']);
    expect(keyDownFields(key('KeyZ'), 12, { mac: true }).commands).toEqual(['redo']);
    expect(keyDownFields(key('KeyA'), 4).commands).toBeUndefined();
  });
});

describe('keys of a person', () => {
  it.each([
    ['a letter of another layout', { key: 'a', code: 'KeyQ' }, { windowsVirtualKeyCode: 65, text: 'a', code: 'KeyQ' }],
    ['a letter of another script', { key: 'ф', code: 'KeyA' }, { windowsVirtualKeyCode: 65, text: 'ф' }],
    ['a sign on a digit key', { key: '&', code: 'Digit1' }, { windowsVirtualKeyCode: 49, text: '&' }],
    [
      'a character made with AltGr',
      { key: '@', code: 'KeyQ', modifiers: 3 },
      { type: 'keyDown', text: '@', modifiers: 0 },
    ],
    ['a shortcut', { key: 'c', code: 'KeyC', modifiers: 2 }, { type: 'rawKeyDown', modifiers: 2 }],
    ['a held key', { repeat: true }, { autoRepeat: true }],
    ['a dead key', { key: 'Dead', code: 'Quote' }, { type: 'rawKeyDown', key: 'Dead' }],
    ['a key without a code', { key: 'Enter', code: '' }, { type: 'keyDown', text: '\r', windowsVirtualKeyCode: 13 }],
  ] as const)('[CO11] %s', (_, over, expected) => {
    expect(personKeyFields(person(over))).toMatchObject(expected);
  });
});

describe('clipboardVerb', () => {
  it.each([
    ['c', 2, false, 'copy'],
    ['X', 2, false, 'cut'],
    ['v', 2, false, 'paste'],
    ['v', 10, false, 'paste'],
    ['Insert', 8, false, 'paste'],
    ['Insert', 2, false, 'copy'],
    ['Delete', 8, false, 'cut'],
    ['v', 4, true, 'paste'],
    ['v', 2, true, undefined],
    ['c', 10, false, undefined],
    ['v', 3, false, undefined],
    ['c', 0, false, undefined],
  ] as const)('[SE6] %s with modifiers %i (mac: %s) is %s', (name, modifiers, mac, verb) => {
    expect(clipboardVerb(name, modifiers, mac)).toBe(verb);
  });
});

it('[AC4] modifiers are deduplicated and sorted', () => {
  expect(settleModifiers(['Shift', 'ControlOrMeta', 'Control'], false)).toEqual(['Control', 'Shift']);
  expect(settleModifiers(['Shift', 'ControlOrMeta', 'Control'], true)).toEqual(['Control', 'Meta', 'Shift']);
});
