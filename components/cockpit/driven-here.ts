'use client';

import { createStore } from 'zustand/vanilla';
import { useStore } from 'zustand';

/** Key in session storage of the sessions that were driven from this window; survives a reload. */
const KEY = 'wh-driven-here';

const store = createStore<{ sessions: readonly string[] }>(() => ({ sessions: stored() }));

/** Records that this window drives the session, or no longer does. */
export function drivenHere(session: string, drives: boolean): void {
  const others = store.getState().sessions.filter((id) => id !== session);
  const sessions = drives ? [...others, session] : others;
  store.setState({ sessions });
  try {
    window.sessionStorage.setItem(KEY, sessions.join(' '));
  } catch {
    // Without storage the list is lost with the page.
  }
}

/** Whether this window took or used the lease of the session. The same person may drive from another window. */
export function useDrivenHere(session: string): boolean {
  return useStore(store, ({ sessions }) => sessions.includes(session));
}

function stored(): readonly string[] {
  if (typeof window === 'undefined') return [];
  try {
    return (window.sessionStorage.getItem(KEY) ?? '').split(' ').filter((id) => id !== '');
  } catch {
    return [];
  }
}
