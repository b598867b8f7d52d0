'use client';

import { useEffect } from 'react';
import { createStore } from 'zustand/vanilla';
import { useStore } from 'zustand';
import { useStoredChoice } from '@/components/use-stored-choice';
import type { LeaveChord } from '@/components/viewport/input/keys';
import type { Zoom } from '@/components/viewport/viewport';

/** The zoom, stored in this browser. */
export function useZoom(): [Zoom, (zoom: string) => void] {
  return useStoredChoice<Zoom>('wh-zoom', ['fit', 'fill', 'actual']);
}

export const CHORDS = ['ctrl-alt-shift', 'ctrl-shift-escape', 'ctrl-alt-l'] as const satisfies readonly LeaveChord[];

/** The chord that leaves the page, stored in this browser. */
export function useLeaveChord(): [LeaveChord, (chord: string) => void] {
  return useStoredChoice<LeaveChord>('wh-leave-chord', CHORDS);
}

export const PANELS = ['snapshot', 'timeline', 'console', 'network', 'files', 'people'] as const;
export type PanelName = (typeof PANELS)[number];

export function usePanel(): [PanelName, (panel: string) => void] {
  return useStoredChoice<PanelName>('wh-panel', PANELS);
}

/** Whether the side panel is open, stored in this browser. */
export function usePanelOpen(): [boolean, (open: boolean) => void] {
  const [choice, choose] = useStoredChoice('wh-panel-open', ['yes', 'no']);
  return [choice === 'yes', (open) => choose(open ? 'yes' : 'no')];
}

const fullScreen = createStore<{ full: boolean }>(() => ({ full: false }));

/**
 * Full screen shows only the page and the lease bar. Where the browser has no full screen mode (iPhone) the page still
 * fills the window.
 */
export function useFullScreen(): { full: boolean; toggle: () => void } {
  const full = useStore(fullScreen, (state) => state.full);
  useEffect(() => {
    const changed = () => {
      if (!document.fullscreenElement) fullScreen.setState({ full: false });
    };
    document.addEventListener('fullscreenchange', changed);
    return () => document.removeEventListener('fullscreenchange', changed);
  }, []);
  const toggle = () => {
    fullScreen.setState({ full: !full });
    if (full && document.fullscreenElement) void document.exitFullscreen();
    else if (!full && document.fullscreenEnabled)
      void document.documentElement.requestFullscreen().catch(() => undefined);
  };
  return { full, toggle };
}
