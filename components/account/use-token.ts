'use client';

import { useSyncExternalStore } from 'react';
import { takeHash } from '@/components/take-hash';

/** Longest token that the server reads; a longer one is none of its links. */
const MOST = 200;

/** The tokens that this page load knows, by path; empty where there is none. */
const tokens = new Map<string, string>();

/**
 * Takes the token out of the address. This tab alone keeps it, until it is closed, so that a reload and a sign-in come
 * back to it.
 */
function take(): void {
  const { pathname } = window.location;
  const found = takeHash();
  if (found === '') return void tokens.set(pathname, tokens.get(pathname) ?? kept(pathname));
  const token = found.length > MOST ? '' : found;
  tokens.set(pathname, token);
  try {
    sessionStorage.setItem(keyOf(pathname), token);
  } catch (refused) {
    if (!(refused instanceof DOMException)) throw refused;
  }
}

function kept(path: string): string {
  try {
    return sessionStorage.getItem(keyOf(path)) ?? '';
  } catch (refused) {
    if (refused instanceof DOMException) return '';
    throw refused;
  }
}

function keyOf(path: string): string {
  return `wh-token:${path}`;
}

function subscribe(listener: () => void): () => void {
  const arrived = () => {
    take();
    listener();
  };
  arrived();
  // Somebody who opens another link of this kind in the same tab changes only what stands behind the `#`.
  window.addEventListener('hashchange', arrived);
  return () => window.removeEventListener('hashchange', arrived);
}

/**
 * The token of the link that opened this page; it leaves the address at once. Undefined until it was looked for, empty
 * where there is none.
 */
export function useToken(): string | undefined {
  return useSyncExternalStore(
    subscribe,
    () => tokens.get(window.location.pathname),
    () => undefined,
  );
}
