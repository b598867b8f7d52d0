import { describe, expect, it } from 'vitest';
import { softInput } from './soft-keyboard';

const keys = (key: string) => [
  { type: 'keydown', key, code: key, location: 0, repeat: false, modifiers: 0 },
  { type: 'keyup', key, code: key, location: 0, repeat: false, modifiers: 0 },
];

describe('softInput', () => {
  it('[AC4] gives text for what a soft keyboard inserts, and keys for its edits', () => {
    expect(softInput({ inputType: 'insertText', data: '你好' })).toEqual([{ type: 'text', text: '你好' }]);
    expect(softInput({ inputType: 'deleteContentBackward', data: null })).toEqual(keys('Backspace'));
    expect(softInput({ inputType: 'insertLineBreak', data: null })).toEqual(keys('Enter'));
  });

  it('leaves compositions to their end, and pastes to the paste event', () => {
    expect(softInput({ inputType: 'insertCompositionText', data: 'ni' })).toEqual([]);
    expect(softInput({ inputType: 'insertFromPaste', data: 'x' })).toEqual([]);
    expect(softInput({ inputType: 'insertText', data: null })).toEqual([]);
  });
});
