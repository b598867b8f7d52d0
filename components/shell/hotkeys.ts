'use client';

import { useEffect, useRef } from 'react';

/** The name of a hotkey event, such as `Mod+k`, `?` or `n`. Undefined for events that something else handles. */
export function hotkeyOf(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing' | 'defaultPrevented' | 'repeat'>,
): string | undefined {
  if (event.defaultPrevented || event.isComposing || event.repeat || event.altKey) return undefined;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return event.ctrlKey || event.metaKey ? `Mod+${key}` : key;
}

/** True when the target is a text box, menu or dialog, which gets plain keys itself. */
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
 * Runs `keys[hotkey]` when the hotkey is pressed anywhere on the page. Plain keys are ignored in text boxes, menus and
 * dialogs. Parts of the page that take the keyboard stop the event's propagation or prevent its default.
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
