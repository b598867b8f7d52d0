'use client';

import { createStore } from 'zustand/vanilla';
import { useStore } from 'zustand';
import type { Box } from '@/lib/protocol/catalog';

/** The element that a line of the snapshot points at. */
export interface OutlinedElement {
  readonly tab: string;
  readonly ref: string;
  readonly box: Box;
  /** Role and name; page-made text. */
  readonly name: string;
}

const store = createStore<{ outlined: OutlinedElement | undefined }>(() => ({ outlined: undefined }));

/** Of the page, not of the server: set by the snapshot panel, drawn by the stage. */
export function outline(outlined: OutlinedElement | undefined): void {
  store.setState({ outlined });
}

export function useOutlined(): OutlinedElement | undefined {
  return useStore(store, (state) => state.outlined);
}
