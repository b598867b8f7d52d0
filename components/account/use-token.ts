'use client';

import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

/** Longest token that the server reads; a longer one is none of its links. */
const MOST = 200;

/**
 * The token behind the `#` of the address, which browsers send to no server; undefined while rendering on the server,
 * empty where there is none.
 */
export function useToken(): string | undefined {
  return useSyncExternalStore(
    subscribe,
    () => {
      const token = window.location.hash.slice(1);
      return token.length > MOST ? '' : token;
    },
    () => undefined,
  );
}
