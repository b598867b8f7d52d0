'use client';

import { useEffect } from 'react';
import { createStore } from 'zustand/vanilla';
import { useStore } from 'zustand';
import { useMayFiles } from '@/components/files/use-files';
import { useLink } from '@/components/session-client/use-session-client';
import { useStoredChoice } from '@/components/use-stored-choice';
import type { LeaveChord } from '@/components/viewport/input/keys';
import type { TierChoice } from '@/lib/stream/quality';
import type { Zoom } from '@/components/viewport/viewport';

/** The zoom, stored in this browser. */
export function useZoom(): [Zoom, (zoom: string) => void] {
  return useStoredChoice<Zoom>('wh-zoom', ['fit', 'fill', 'actual']);
}

/** The choices for the quality of pictures; the first one leaves it to the link. */
export const QUALITIES = ['auto', 'high', 'standard', 'low'] as const satisfies readonly TierChoice[];
type QualityChoice = (typeof QUALITIES)[number];

/** The quality of pictures (FR6), stored in this browser. */
export function useQuality(): [QualityChoice, (quality: string) => void] {
  return useStoredChoice<QualityChoice>('wh-quality', QUALITIES);
}

export const CHORDS = ['ctrl-alt-shift', 'ctrl-shift-escape', 'ctrl-alt-l'] as const satisfies readonly LeaveChord[];

/** The chord that leaves the page, stored in this browser. */
export function useLeaveChord(): [LeaveChord, (chord: string) => void] {
  return useStoredChoice<LeaveChord>('wh-leave-chord', CHORDS);
}

export const PANELS = ['snapshot', 'timeline', 'talk', 'console', 'network', 'files', 'people'] as const;
export type PanelName = (typeof PANELS)[number];

/** What the panels of a page's console, network and files show is not for every guest of a share link (AU4). */
const OF_GUESTS: readonly PanelName[] = ['timeline', 'talk', 'people'];

/** The panels that this page has. */
export function usePanels(session: string): readonly [PanelName, ...PanelName[]] {
  const guest = useLink() !== undefined;
  const files = useMayFiles(session);
  if (!guest) return PANELS;
  return ['snapshot', ...PANELS.filter((name) => OF_GUESTS.includes(name) || (name === 'files' && files))];
}

/** The open panel, stored in this browser. */
export function usePanel(session: string): [PanelName, (panel: string) => void] {
  return useStoredChoice('wh-panel', usePanels(session));
}

/** Whether the side panel is open, stored in this browser. Guests of a share link see the page alone at first. */
export function usePanelOpen(): [boolean, (open: boolean) => void] {
  const guest = useLink() !== undefined;
  const [choice, choose] = useStoredChoice(
    guest ? 'wh-guest-panel-open' : 'wh-panel-open',
    guest ? ['no', 'yes'] : ['yes', 'no'],
  );
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
