import { describe, expect, it } from 'vitest';
import { buttonName, countClick, modifierBits, sumWheel, wheelInput, type LastPress } from './pointer';

const none = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };
const press = (at: number, x = 10, button: 'left' | 'right' = 'left') => ({ button, x, y: 10, at });

function counts(...presses: ReturnType<typeof press>[]): number[] {
  let last: LastPress | undefined;
  return presses.map((one) => {
    last = countClick(last, one);
    return last.count;
  });
}

describe('pointer input', () => {
  it('[AC4] names every button and packs modifiers as CDP does', () => {
    expect([0, 1, 2, 3, 4, 5].map(buttonName)).toEqual(['left', 'middle', 'right', 'back', 'forward', undefined]);
    expect(modifierBits({ ...none, altKey: true, shiftKey: true })).toBe(9);
    expect(modifierBits({ altKey: true, ctrlKey: true, metaKey: true, shiftKey: true })).toBe(15);
  });

  it('counts double and triple clicks at one place and one button', () => {
    expect(counts(press(0), press(200), press(400), press(600))).toEqual([1, 2, 3, 1]);
    expect(counts(press(0), press(501))).toEqual([1, 1]);
    expect(counts(press(0), press(100, 16))).toEqual([1, 1]);
    expect(counts(press(0), press(100, 10, 'right'))).toEqual([1, 1]);
  });

  it('turns lines and pages of the wheel into pixels, within what the protocol allows', () => {
    const at = { x: 5, y: 6 };
    expect(wheelInput({ ...none, deltaX: 0, deltaY: 3, deltaMode: 1 }, at, 600)).toEqual({
      type: 'wheel',
      ...at,
      dx: 0,
      dy: 48,
      modifiers: 0,
    });
    expect(wheelInput({ ...none, deltaX: 0, deltaY: -1, deltaMode: 2 }, at, 600).dy).toBe(-600);
    expect(wheelInput({ ...none, ctrlKey: true, deltaX: 1e9, deltaY: 0, deltaMode: 0 }, at, 600)).toEqual({
      type: 'wheel',
      ...at,
      dx: 10_000,
      dy: 0,
      modifiers: 2,
    });
  });

  it('adds up turns without losing any', () => {
    const one = wheelInput({ ...none, deltaX: 1, deltaY: 100, deltaMode: 0 }, { x: 1, y: 1 }, 600);
    const two = wheelInput({ ...none, deltaX: 2, deltaY: 20, deltaMode: 0 }, { x: 9, y: 9 }, 600);
    expect(sumWheel(one, two)).toEqual({ type: 'wheel', x: 9, y: 9, dx: 3, dy: 120, modifiers: 0 });
  });
});
