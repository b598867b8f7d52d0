'use client';

import { useMemo } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { SessionView } from '@/lib/protocol/views';
import { inOrder } from './tab-order';

/** By session: the order of its tabs in this window, until the page is reloaded. */
const orders = createStore<{ readonly laid: ReadonlyMap<string, readonly string[]> }>(() => ({ laid: new Map() }));

/** Sets the order of a session's tabs, in this window only. */
export function orderTabs(session: string, order: readonly string[]): void {
  orders.setState((known) => ({ laid: new Map(known.laid).set(session, order) }));
}

/** Gives the session with its tabs in the order of this window. */
export function useOrderedTabs(session: SessionView | undefined): SessionView | undefined {
  const order = useStore(orders, (state) => (session ? state.laid.get(session.id) : undefined));
  return useMemo(
    () => (session && order ? { ...session, tabs: inOrder(session.tabs, order) } : session),
    [session, order],
  );
}
