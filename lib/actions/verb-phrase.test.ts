import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verbPhraseOf, verbPhraseSchema, type VerbPhrase } from './verb-phrase';
import type { Action } from './kinds';
import { parseAction } from './parse';
import { anyAction } from './testing/any-action';

describe('verbPhraseOf', () => {
  it.each<[Action, VerbPhrase]>([
    [{ kind: 'click', ref: 'e1' }, { word: 'click' }],
    [{ kind: 'click', ref: 'e1', count: 2 }, { word: 'doubleClick' }],
    [{ kind: 'check', ref: 'e1', checked: false }, { word: 'uncheck' }],
    [
      { kind: 'type', ref: 'e1', text: 'Bristol' },
      { word: 'type', value: 'Bristol' },
    ],
    [
      { kind: 'press', keys: ['Control+A', 'Delete'] },
      { word: 'press', value: 'Control+A, Delete' },
    ],
    [
      { kind: 'select', ref: 'e1', values: ['a', 'b'] },
      { word: 'select', value: 'a, b' },
    ],
    [
      { kind: 'navigate', url: 'https://a.test/' },
      { word: 'navigate', url: 'https://a.test/' },
    ],
    [
      { kind: 'tab', do: 'open', url: 'https://a.test/' },
      { word: 'newTab', url: 'https://a.test/' },
    ],
    [{ kind: 'tab', do: 'open' }, { word: 'tabOpen' }],
    [{ kind: 'tab', do: 'close' }, { word: 'tabClose' }],
    [{ kind: 'history', go: 'reload' }, { word: 'reload' }],
    [
      { kind: 'wait', text: 'Done' },
      { word: 'wait', value: 'Done' },
    ],
    [
      { kind: 'wait', timeMs: 50, note: 'it is slow' },
      { word: 'wait', note: 'it is slow' },
    ],
    [{ kind: 'dialog', do: 'answer', accept: true }, { word: 'dialogAccept' }],
    [{ kind: 'dialog', do: 'disarm' }, { word: 'dialogDisarm' }],
    [
      { kind: 'resize', width: 800, height: 600 },
      { word: 'resize', value: '800 × 600' },
    ],
  ])('[TL1] %j is %j', (action, deed) => {
    expect(verbPhraseOf(action)).toEqual(deed);
  });

  it.each([
    [{ kind: 'click', ref: 'e99' }, 'e99'],
    [{ kind: 'click', role: 'button', name: 'Buy' }, 'button “Buy”'],
    [{ kind: 'hover', selector: '#buy' }, '#buy'],
    [{ kind: 'click', at: { x: 3, y: 4 } }, undefined],
    [{ kind: 'press', key: 'Enter' }, undefined],
  ])('[TL1] %j of an unknown element shows the target as the caller named it: %j', (action, target) => {
    expect(verbPhraseOf(parseAction(action), false, true).target).toBe(target);
  });

  it('[SN6] has no value when the text is hidden', () => {
    expect(verbPhraseOf({ kind: 'type', ref: 'e1', text: 'hunter2' }, true)).toEqual({ word: 'type' });
    expect(verbPhraseOf({ kind: 'select', ref: 'e1', values: ['hunter2'] }, true)).toEqual({ word: 'select' });
    expect(verbPhraseOf({ kind: 'press', keys: ['h', 'Enter'] }, true)).toEqual({ word: 'press', value: '•, Enter' });
  });

  it('[GU3] every action there can be is a small row of plain text', () => {
    fc.assert(
      fc.property(anyAction, (action) => {
        const deed = verbPhraseOf(action);
        expect(verbPhraseSchema.parse(deed)).toEqual(deed);
        expect(JSON.stringify(deed)).not.toMatch(/[\u202e\n\r]/u);
      }),
      { numRuns: 500 },
    );
  });
});
