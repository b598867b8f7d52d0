import { describe, expect, it } from 'vitest';
import { fastKeystrokesOf, keystrokesOf, lengthOf } from './typing';

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

describe('fastKeystrokesOf', () => {
  const kinds = (text: string) =>
    fastKeystrokesOf(text).map((stroke) => (stroke.kind === 'insert' ? lengthOf(stroke) : stroke.kind));

  it('[AC4] types up to 200 characters by keys alone', () => {
    expect(fastKeystrokesOf('a'.repeat(200))).toEqual(keystrokesOf('a'.repeat(200)));
  });

  it('[AC4] types the first and last 20 characters of a longer text by keys, and pieces of at most 500 between', () => {
    const keys = Array.from({ length: 20 }, () => 'key');
    expect(kinds('a'.repeat(1_100))).toEqual([...keys, 500, 500, 60, ...keys]);
    expect(kinds('中'.repeat(201))).toEqual([...keys.map(() => 'char'), 161, ...keys.map(() => 'char')]);
  });

  it('[AC4] keeps every character, line end and tab of a long text, the last two as keys', () => {
    const text = `Grüße, 5% "中" 👨‍👩‍👧‍👦\t\n`.repeat(100);
    const written = fastKeystrokesOf(text)
      .map((stroke) => {
        if (stroke.kind !== 'key') return stroke.text;
        if (stroke.key.code === 'Enter') return '\n';
        if (stroke.key.code === 'Tab') return '\t';
        return stroke.shift ? stroke.key.shifted : stroke.key.key;
      })
      .join('');
    expect(written).toBe(text);
    expect(fastKeystrokesOf(text).some((stroke) => stroke.kind === 'insert' && /[\n\t]/.test(stroke.text))).toBe(false);
  });
});
