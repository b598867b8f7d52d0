import { describe, expect, it } from 'vitest';
import { holdKey, isHeld, planKey, releaseAll, type HeldKeys, type KeyInput, type KeyPress } from './keys';

const linux = { clientMac: false, chromeMac: false };
const mac = { clientMac: true, chromeMac: false };

function key(name: string, more: Partial<KeyPress> = {}): KeyPress {
  const code = /^[a-z]$/i.test(name) ? `Key${name.toUpperCase()}` : name;
  return {
    type: 'keydown',
    key: name,
    code,
    location: 0,
    repeat: false,
    composing: false,
    altGraph: false,
    altKey: false,
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    ...more,
  };
}

const sent = (name: string, modifiers = 0, more: Partial<KeyInput> = {}) => ({
  do: 'send',
  event: { type: 'keydown', key: name, code: key(name).code, location: 0, repeat: false, modifiers, ...more },
});

describe('planKey', () => {
  it('[AC4] sends keys with code, location and modifiers', () => {
    expect(planKey(key('a'), linux, 'ctrl-alt-shift')).toEqual(sent('a'));
    expect(planKey(key('Tab', { shiftKey: true }), linux, 'ctrl-alt-shift')).toEqual(sent('Tab', 8));
    expect(planKey(key('Shift', { code: 'ShiftRight', location: 2, shiftKey: true }), linux, 'ctrl-alt-shift')).toEqual(
      sent('Shift', 8, { code: 'ShiftRight', location: 2 }),
    );
    expect(planKey(key('a', { type: 'keyup' }), linux, 'ctrl-alt-shift')).toEqual(sent('a', 0, { type: 'keyup' }));
    expect(planKey(key('a', { repeat: true }), linux, 'ctrl-alt-shift')).toEqual(sent('a', 0, { repeat: true }));
  });

  it('maps Command to Control when only the client is a Mac', () => {
    expect(planKey(key('a', { metaKey: true }), mac, 'ctrl-alt-shift')).toEqual(sent('a', 2));
    expect(planKey(key('Meta', { code: 'MetaRight', location: 2, metaKey: true }), mac, 'ctrl-alt-shift')).toEqual(
      sent('Control', 2, { code: 'ControlRight', location: 2 }),
    );
    expect(planKey(key('a', { metaKey: true }), { clientMac: true, chromeMac: true }, 'ctrl-alt-shift')).toEqual(
      sent('a', 4),
    );
    expect(planKey(key('a', { metaKey: true }), linux, 'ctrl-alt-shift')).toEqual(sent('a', 4));
  });

  it('leaves compositions, dead keys and soft keyboards to the browser, which gives text back', () => {
    expect(planKey(key('n', { composing: true }), linux, 'ctrl-alt-shift')).toEqual({ do: 'native' });
    for (const name of ['Dead', 'Process', 'Unidentified'])
      expect(planKey(key(name), linux, 'ctrl-alt-shift')).toEqual({ do: 'native' });
  });

  it('[SE6] copies, cuts and pastes with the clipboard of the person', () => {
    expect(planKey(key('c', { ctrlKey: true }), linux, 'ctrl-alt-shift')).toEqual({ do: 'copy', cut: false });
    expect(planKey(key('x', { metaKey: true }), mac, 'ctrl-alt-shift')).toEqual({ do: 'copy', cut: true });
    expect(planKey(key('v', { ctrlKey: true }), linux, 'ctrl-alt-shift')).toEqual({ do: 'native' });
    expect(planKey(key('V', { ctrlKey: true, shiftKey: true }), linux, 'ctrl-alt-shift')).toEqual({ do: 'native' });
    expect(planKey(key('Insert', { shiftKey: true }), linux, 'ctrl-alt-shift')).toEqual({ do: 'native' });
    expect(planKey(key('c', { ctrlKey: true, type: 'keyup' }), linux, 'ctrl-alt-shift')).toEqual({ do: 'ignore' });
    expect(planKey(key('c', { ctrlKey: true, altKey: true }), linux, 'ctrl-alt-shift')).toEqual(sent('c', 3));
  });

  it('sends what AltGr gives as text: Chrome would take it for Control+Alt', () => {
    const at = key('@', { code: 'KeyQ', altGraph: true, ctrlKey: true, altKey: true });
    expect(planKey(at, linux, 'ctrl-alt-shift')).toEqual({ do: 'text', text: '@' });
    expect(planKey({ ...at, type: 'keyup' }, linux, 'ctrl-alt-shift')).toEqual({ do: 'ignore' });
    expect(planKey(key('AltGraph', { altGraph: true }), linux, 'ctrl-alt-shift')).toEqual({ do: 'ignore' });
  });

  it('leaves the page by the chosen chord and by no other', () => {
    const three = { ctrlKey: true, altKey: true, shiftKey: true };
    expect(planKey(key('Shift', three), linux, 'ctrl-alt-shift')).toEqual({ do: 'leave' });
    expect(planKey(key('Control', three), mac, 'ctrl-alt-shift')).toEqual({ do: 'leave' });
    expect(planKey(key('Shift', { ...three, altGraph: true }), linux, 'ctrl-alt-shift')).not.toEqual({ do: 'leave' });
    expect(planKey(key('Shift', three), linux, 'ctrl-shift-escape')).toEqual(sent('Shift', 11));
    expect(planKey(key('Escape', { ctrlKey: true, shiftKey: true }), linux, 'ctrl-shift-escape')).toEqual({
      do: 'leave',
    });
    expect(planKey(key('l', { ctrlKey: true, altKey: true }), linux, 'ctrl-alt-l')).toEqual({ do: 'leave' });
    expect(planKey(key('Escape'), linux, 'ctrl-shift-escape')).toEqual(sent('Escape'));
  });
});

describe('held keys', () => {
  const down = (name: string): KeyInput => ({
    type: 'keydown',
    key: name,
    code: name,
    location: 0,
    repeat: false,
    modifiers: 2,
  });

  it('[I6] lets go of everything once, last pressed first', () => {
    const held = [down('Control'), down('a'), { ...down('a'), repeat: true }].reduce<HeldKeys>(holdKey, new Map());
    expect(releaseAll(held).map(({ type, key: name, modifiers }) => ({ type, name, modifiers }))).toEqual([
      { type: 'keyup', name: 'a', modifiers: 0 },
      { type: 'keyup', name: 'Control', modifiers: 0 },
    ]);
  });

  it('forgets a key that was let go', () => {
    const held = holdKey(holdKey(new Map(), down('a')), { ...down('a'), type: 'keyup' });
    expect([isHeld(held, down('a')), releaseAll(held)]).toEqual([false, []]);
  });
});
