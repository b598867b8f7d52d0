// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { hotkeyOf, isBusyTarget } from './hotkeys';

const key = (init: KeyboardEventInit & { key: string }) => hotkeyOf(new KeyboardEvent('keydown', init));

describe('hotkeyOf', () => {
  it('[ui: behaviour] names plain keys and chords with Ctrl or Command', () => {
    expect([
      key({ key: 'n' }),
      key({ key: '?', shiftKey: true }),
      key({ key: 'K', ctrlKey: true }),
      key({ key: 'k', metaKey: true }),
      key({ key: 'ArrowDown' }),
    ]).toEqual(['n', '?', 'Mod+k', 'Mod+k', 'ArrowDown']);
  });

  it('leaves composition, repeats and Alt to others', () => {
    expect([
      key({ key: 'n', isComposing: true }),
      key({ key: 'n', repeat: true }),
      key({ key: 'n', altKey: true }),
    ]).toEqual([undefined, undefined, undefined]);
  });

  it('leaves what somebody has already used', () => {
    const event = new KeyboardEvent('keydown', { key: 'n', cancelable: true });
    event.preventDefault();
    expect(hotkeyOf(event)).toBeUndefined();
  });
});

describe('isBusyTarget', () => {
  it('is true in text boxes, menus and dialogs, and false elsewhere', () => {
    document.body.innerHTML = '<input><div role="dialog"><b></b></div><div role="menu"><i></i></div><p></p>';
    const busy = ['input', 'b', 'i', 'p'].map((name) => isBusyTarget(document.querySelector(name)));
    expect(busy).toEqual([true, true, true, false]);
  });
});
