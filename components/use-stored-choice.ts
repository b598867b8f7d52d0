'use client';

import { useCallback, useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** Choices of a page whose browser refuses storage; they last until a reload. */
const unsaved = new Map<string, string>();

function read(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? unsaved.get(key) ?? null;
  } catch (refused) {
    if (refused instanceof DOMException) return unsaved.get(key) ?? null;
    throw refused;
  }
}

function write(key: string, value: string): void {
  unsaved.set(key, value);
  try {
    localStorage.setItem(key, value);
  } catch (refused) {
    if (!(refused instanceof DOMException)) throw refused;
  }
  for (const listener of listeners) listener();
}

/** The browser's local storage, or the page's memory where the browser refuses it. */
export const browserStorage = { getItem: read, setItem: write } as const;

/** A text that is stored in this browser; null while there is none. */
export function useStoredText(key: string): [string | null, (text: string) => void] {
  const stored = useSyncExternalStore(
    subscribe,
    () => read(key),
    () => null,
  );
  return [stored, useCallback((text: string) => write(key, text), [key])];
}

/** One of `choices`, stored in this browser; the first one by default. */
export function useStoredChoice<T extends string>(
  key: string,
  choices: readonly [T, ...T[]],
): [T, (choice: string) => void] {
  const [stored, choose] = useStoredText(key);
  return [choices.find((choice) => choice === stored) ?? choices[0], choose];
}
