'use client';

import { useEffect } from 'react';

/** Who has typed within this time is still typing. Milliseconds. */
const TYPING_MS = 2_000;
/** Keys that end what somebody types, or leave the text box. */
const ENDS: ReadonlySet<string> = new Set(['Enter', 'Escape', 'Tab']);

type Key = Pick<KeyboardEvent, 'target' | 'key' | 'timeStamp' | 'ctrlKey' | 'metaKey'>;

/**
 * Recognises who types on although their text box has gone, such as when another tab of the session is shown: those
 * keys are for nobody.
 */
export class Typing {
  #last: { readonly box: Element; at: number } | undefined;

  /** Call with each key that is pressed; true for one that was meant for a text box that is gone. */
  isLost({ target, key, timeStamp: at, ctrlKey, metaKey }: Key): boolean {
    if (isTextBox(target)) {
      this.#last = ENDS.has(key) ? undefined : { box: target, at };
      return false;
    }
    const last = this.#last;
    if (!last || last.box.isConnected || at - last.at > TYPING_MS || ENDS.has(key) || ctrlKey || metaKey) {
      this.stop();
      return false;
    }
    last.at = at;
    return true;
  }

  /** They do something else. */
  stop(): void {
    this.#last = undefined;
  }
}

function isTextBox(target: EventTarget | null): target is HTMLElement {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea'));
}

/**
 * Keeps keys that were meant for a text box that is gone from everything else: they are no hotkeys, and press no
 * button.
 */
export function useNoLostKeys(): void {
  useEffect(() => {
    const typing = new Typing();
    const onKey = (event: KeyboardEvent) => {
      if (!typing.isLost(event)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    const onPress = () => typing.stop();
    window.addEventListener('keydown', onKey, true);
    window.addEventListener('pointerdown', onPress, true);
    return () => {
      window.removeEventListener('keydown', onKey, true);
      window.removeEventListener('pointerdown', onPress, true);
    };
  }, []);
}
