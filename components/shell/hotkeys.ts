'use client';

import { useEffect, useRef } from 'react';

/** What a key event means to our shortcuts, e.g. `Mod+k`, `?`, `n`. Undefined for one that belongs to somebody else. */
export function hotkeyOf(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing' | 'defaultPrevented' | 'repeat'>,
): string | undefined {
  if (event.defaultPrevented || event.isComposing || event.repeat || event.altKey) return undefined;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return event.ctrlKey || event.metaKey ? `Mod+${key}` : key;
}

/** Whether plain keys go into a text box, a menu or an open dialog, and are not ours. */
export function isBusyTarget(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest(
      'input, textarea, select, [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]',
    ) !== null
  );
}

/**
 * Runs `keys[hotkey]` when it is pressed anywhere on the page. Plain keys are left alone in text boxes, menus and
 * dialogs. A part of the page that takes the keyboard for itself stops the event's propagation or prevents its default.
 */
export function useHotkeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  }, [keys]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const hotkey = hotkeyOf(event);
      if (hotkey === undefined || (!hotkey.startsWith('Mod+') && isBusyTarget(event.target))) return;
      const run = latest.current[hotkey];
      if (!run) return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
