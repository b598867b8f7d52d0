import { describe, expect, it } from 'vitest';
import { keystrokesOf } from './typing';

const shown = (text: string) =>
  keystrokesOf(text).map((stroke) =>
    stroke.kind === 'key' ? `${stroke.shift ? 'Shift ' : ''}${stroke.key.code}` : `${stroke.kind} ${stroke.text}`,
  );

describe('keystrokesOf', () => {
  it('[AC4] uses a real key for every character of a US keyboard', () => {
    expect(shown('aZ 5%"')).toEqual(['KeyA', 'Shift KeyZ', 'Space', 'Digit5', 'Shift Digit5', 'Shift Quote']);
  });

  it('[AC4] uses the main block for digits and signs, never the numeric pad', () => {
    const every = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');
    const strokes = keystrokesOf(every);
    expect(strokes.every((stroke) => stroke.kind === 'key' && stroke.key.location === undefined)).toBe(true);
    expect(
      strokes
        .map((stroke) => (stroke.kind === 'key' ? (stroke.shift ? stroke.key.shifted : stroke.key.key) : ''))
        .join(''),
    ).toBe(every);
  });

  it('[AC4] turns every line end into one Enter, and a tab into Tab', () => {
    expect(shown('\r\n\n\r\t')).toEqual(['Enter', 'Enter', 'Enter', 'Tab']);
  });

  it('[AC4] sends other characters whole: as character events, or inserted when too long for one', () => {
    expect(shown('é中😀👨‍👩‍👧‍👦')).toEqual(['char é', 'char 中', 'char 😀', 'insert 👨‍👩‍👧‍👦']);
  });
});
