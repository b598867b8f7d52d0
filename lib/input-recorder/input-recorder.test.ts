import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAction } from '@/lib/actions/parse';
import { parseStep } from '@/lib/steps/parse';
import { printStep } from '@/lib/steps/print';
import { InputRecorder, MOST_TEXT } from './input-recorder';
import type { RecordedAction } from './recorded-action';
import type { RecordedInput } from './target-element';
import { doneOf } from './done';
import { buy, city, keysInto, password, pressOn, SECRET_LETTERS, streams } from './testing/streams';

function foldAll(items: readonly RecordedInput[]): RecordedAction[] {
  const recorder = new InputRecorder();
  return [...items.map((item) => recorder.push(item)), recorder.flush()].filter((done) => done !== undefined);
}

const actions = (...parts: readonly RecordedInput[][]): unknown[] => foldAll(parts.flat()).map(({ action }) => action);
const wheel = (dx: number, dy: number): RecordedInput => ({
  at: 0,
  event: { type: 'wheel', x: 5, y: 6, dx, dy, modifiers: 0 },
  seen: undefined,
  open: false,
});
const paste = (text: string): RecordedInput => ({ at: 0, event: { type: 'paste', text }, seen: city, open: true });
const inCity = { role: 'textbox', name: 'City' };

describe('keys', () => {
  it('[CO11] into one field become one text, without deleted characters', () => {
    expect(actions(keysInto(city, ['R', 'i', 'm', 'Backspace', 'g', 'a']))).toEqual([
      { kind: 'type', ...inCity, text: 'Riga' },
    ]);
  });

  it('[CO11] into a field with content are appended; after select-all they replace it', () => {
    const filled = { ...city, empty: false };
    expect(actions(keysInto(filled, ['x']))).toEqual([{ kind: 'type', ...inCity, text: 'x', mode: 'append' }]);
    expect(actions(keysInto(filled, ['Control+a', 'x']))).toEqual([{ kind: 'type', ...inCity, text: 'x' }]);
    expect(actions(keysInto(filled, ['Control+a', 'x', 'Backspace']))).toEqual([{ kind: 'type', ...inCity, text: '' }]);
  });

  it('[CO11] that do something are pressed, with how often', () => {
    expect(
      actions(keysInto(city, ['a', 'Enter', 'Backspace', 'Backspace', 'Control+z', 'Shift', 'Dead', 'MediaPlay'])),
    ).toEqual([
      { kind: 'type', ...inCity, text: 'a' },
      { kind: 'press', ...inCity, key: 'Enter' },
      { kind: 'press', ...inCity, key: 'Backspace', repeat: 2 },
      { kind: 'press', ...inCity, key: 'Control+Z' },
    ]);
    expect(actions(keysInto(buy, [' ']))).toEqual([{ kind: 'press', role: 'button', name: 'Buy', key: 'Space' }]);
  });

  it('[CO11] input-method and pasted text count as typing; a long text is cut and its missing length told', () => {
    const [done] = foldAll([paste('a'.repeat(MOST_TEXT - 1)), paste('🙂!')]);
    expect(done).toMatchObject({ action: { text: 'a'.repeat(MOST_TEXT - 1) }, cut: 2 });
  });

  it('[SN6] into a password field, a possible one, or no field record only that something was typed', () => {
    const hidden = foldAll([
      ...keysInto(password, ['p', 'Backspace', 'q']),
      ...keysInto(city, ['r'], false),
      ...keysInto(buy, ['s']),
      ...keysInto(undefined, ['t']),
    ]);
    expect(hidden.map(({ action, hidden: isHidden }) => [action.kind === 'type' && action.text, isHidden])).toEqual(
      Array.from({ length: 4 }, () => ['${hidden}', true]),
    );
    expect(hidden[0]?.action).toEqual({ kind: 'type', role: 'textbox', name: 'Password', text: '${hidden}' });
  });

  it('[SN6] one character whose field is uncertain hides the whole run', () => {
    expect(actions(keysInto(city, ['a', 'b']), keysInto(city, ['c'], false), keysInto(city, ['d']))).toEqual([
      { kind: 'type', ...inCity, text: '${hidden}' },
    ]);
  });
});

describe('the pointer', () => {
  it('[CO11] clicks: double, with another button, with a modifier, or where only the point is known', () => {
    expect(
      actions(
        pressOn(buy),
        pressOn(buy, { clickCount: 2 }),
        pressOn(buy, { button: 'right', modifiers: 10 }),
        pressOn(undefined),
      ),
    ).toEqual([
      { kind: 'click', role: 'button', name: 'Buy', count: 2 },
      { kind: 'click', role: 'button', name: 'Buy', button: 'right', modifiers: ['Control', 'Shift'] },
      { kind: 'click', at: { x: 10, y: 20 } },
    ]);
  });

  it('[CO11] drags from one element to another; a drag inside one is given by its points', () => {
    const to = { x: 90, y: 20 };
    expect(actions(pressOn(buy, { to, toSeen: city }), pressOn(city, { to }))).toEqual([
      { kind: 'drag', from: { role: 'button', name: 'Buy' }, to: inCity },
      { kind: 'drag', from: { at: { x: 10, y: 20 } }, to: { at: to } },
    ]);
  });

  it('[CO11] wheel turns in a row are one scroll; turns that cancel out are none', () => {
    expect(actions([wheel(0, 100), wheel(0, 50)], pressOn(buy), [wheel(3, 0), wheel(-3, 0)])).toEqual([
      { kind: 'scroll', at: { x: 5, y: 6 }, by: { dy: 150 } },
      { kind: 'click', role: 'button', name: 'Buy' },
    ]);
  });

  it('[CO11] a press without a release is not recorded', () => {
    expect(actions(pressOn(buy).slice(0, 1))).toEqual([]);
  });

  it('[CO11] the back and forward buttons are history actions, one for each press, over any element', () => {
    const folded = foldAll(
      [
        pressOn(buy, { button: 'back' }),
        pressOn(buy, { button: 'back', clickCount: 2 }),
        pressOn(undefined, { button: 'forward' }),
      ].flat(),
    );
    expect(folded.map(({ action, element }) => [action, element])).toEqual([
      [{ kind: 'history', go: 'back' }, undefined],
      [{ kind: 'history', go: 'back' }, undefined],
      [{ kind: 'history', go: 'forward' }, undefined],
    ]);
  });
});

describe('any stream of events', () => {
  it('[CO11] becomes valid actions in the order of events, at most as many as events, each readable as a step', () => {
    fc.assert(
      fc.property(streams, (items) => {
        const folded = foldAll(items);
        expect(folded.length).toBeLessThanOrEqual(items.length);
        expect(folded.map(({ at }) => at)).toEqual(folded.map(({ at }) => at).toSorted((a, b) => a - b));
        for (const { action } of folded) {
          expect(parseAction(action)).toEqual(action);
          expect(parseStep(printStep(action)).action).toMatchObject(action);
        }
      }),
    );
  });

  it('[SN6] never reveals hidden typing; each text is bounded', () => {
    fc.assert(
      fc.property(streams, (items) => {
        const recorder = new InputRecorder();
        for (const item of items) {
          const done = recorder.push(item);
          const told = done && doneOf(done, { tab: 't1' });
          expect(
            [...SECRET_LETTERS].some((letter) => JSON.stringify([told ?? null, done ?? null]).includes(letter)),
          ).toBe(false);
          expect(JSON.stringify(told ?? null).length).toBeLessThan(20_000);
        }
        const last = recorder.flush();
        expect([...SECRET_LETTERS].some((letter) => JSON.stringify(last ?? null).includes(letter))).toBe(false);
      }),
    );
  });
});

describe('telling', () => {
  it('[CO5] gives the action, the step and the sentence; secrets of addresses are masked in all of them', () => {
    const [done] = foldAll([{ ...paste('https://shop.example/?token=abc123'), at: 1_000 }]);
    const told = done && doneOf(done, { tab: 't1' });
    expect(told).toEqual({
      at: '1970-01-01T00:00:01.000Z',
      tab: 't1',
      action: { kind: 'type', role: 'textbox', name: 'City', text: 'https://shop.example/?token=•••' },
      step: 'type [https://shop.example/?token=•••] [0] role="textbox" name="City"',
      text: 'type “https://shop.example/?token=•••” into textbox “City”',
      deed: { word: 'type', value: 'https://shop.example/?token=•••' },
      element: { role: 'textbox', name: 'City' },
    });
  });
});
