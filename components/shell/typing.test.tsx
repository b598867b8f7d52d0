// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useHotkeys } from './hotkeys';
import { Typing, useNoLostKeys } from './typing';

afterEach(cleanup);

/** A page with a hotkey, and a text box that it may lose. */
function Page({ box, hotkey }: { box: boolean; hotkey: () => void }) {
  useNoLostKeys();
  useHotkeys({ c: hotkey });
  return box ? <textarea /> : null;
}

/** Types these keys in the text box, which goes then. */
function typed(...keys: string[]) {
  const hotkey = vi.fn();
  const { rerender } = render(<Page box hotkey={hotkey} />);
  for (const key of keys) fireEvent.keyDown(screen.getByRole('textbox'), { key });
  rerender(<Page box={false} hotkey={hotkey} />);
  /** Presses `c`; whether something could still come of it, and whether the hotkey ran. */
  return () => {
    const open = fireEvent.keyDown(document.body, { key: 'c' });
    return [open, hotkey.mock.calls.length];
  };
}

it('[TL3][ui: behaviour] letters of somebody whose text box goes while they type, as with another tab, are no hotkeys and press nothing', () => {
  const press = typed('a', 'b');
  const lost = [press(), press()];
  fireEvent.pointerDown(document.body);

  expect([...lost, press()]).toEqual([
    [false, 0],
    [false, 0],
    [false, 1],
  ]);
});

it('[ui: behaviour] a text box that closes by Enter or Escape leaves the hotkeys as they are', () => {
  const byEnter = typed('a', 'Enter')();
  cleanup();

  expect([byEnter, typed('a', 'Escape')()]).toEqual([
    [false, 1],
    [false, 1],
  ]);
});

it('[ui: behaviour] who pauses for two seconds has stopped typing; a text box that is still there keeps no key from others', () => {
  const typing = new Typing();
  const box = document.body.appendChild(document.createElement('input'));
  const key = (target: Element, timeStamp: number, ctrlKey = false) =>
    typing.isLost({ target, key: 'c', timeStamp, ctrlKey, metaKey: false });
  const there = [key(box, 0), key(document.body, 100)];
  key(box, 200);
  box.remove();
  const gone = [
    key(document.body, 2_200),
    key(document.body, 4_200),
    key(document.body, 6_201),
    key(document.body, 6_202),
  ];
  key(box, 7_000);

  expect([there, gone, key(document.body, 7_100, true)]).toEqual([[false, false], [true, true, false, false], false]);
});
