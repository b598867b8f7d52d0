'use client';

import { useMemo } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { SessionView } from '@/lib/protocol/views';
import { inOrder } from './tab-order';

/** By session: how its tabs are laid on this page, for as long as it is not reloaded. */
const orders = createStore<{ readonly laid: ReadonlyMap<string, readonly string[]> }>(() => ({ laid: new Map() }));

/** Lays the tabs of a session in this order, here only. */
export function orderTabs(session: string, order: readonly string[]): void {
  orders.setState((known) => ({ laid: new Map(known.laid).set(session, order) }));
}

/** The session with its tabs as they are laid here. */
export function useOrderedTabs(session: SessionView | undefined): SessionView | undefined {
  const order = useStore(orders, (state) => (session ? state.laid.get(session.id) : undefined));
  return useMemo(
    () => (session && order ? { ...session, tabs: inOrder(session.tabs, order) } : session),
    [session, order],
  );
}
