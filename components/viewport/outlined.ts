'use client';

import { createStore } from 'zustand/vanilla';
import { useStore } from 'zustand';
import type { Box } from '@/lib/protocol/catalog';

/** The element of the snapshot line under the pointer or with the focus. */
export interface OutlinedElement {
  readonly tab: string;
  readonly ref: string;
  readonly box: Box;
  /** Role and name; page-made text. */
  readonly name: string;
}

const store = createStore<{ outlined: OutlinedElement | undefined }>(() => ({ outlined: undefined }));

/** Sets the outlined element; state of this page alone, set by the snapshot panel and drawn by `PageStage`. */
export function outline(outlined: OutlinedElement | undefined): void {
  store.setState({ outlined });
}

export function useOutlined(): OutlinedElement | undefined {
  return useStore(store, (state) => state.outlined);
}
