'use client';

import { createStore } from 'zustand/vanilla';
import { useStore } from 'zustand';
import { usePanel, usePanelOpen, useFullScreen } from '@/components/cockpit/use-view';

/** An element of a page that somebody is about to comment on. */
export interface ChosenElement {
  readonly tab: string;
  readonly ref: string;
  /** Role and name; page-made text. */
  readonly name: string;
}

interface TalkState {
  /** Whether the tool that draws a box on the picture is on. */
  readonly drawing: boolean;
  /** The thread that the panel shows and whose box the picture shows. */
  readonly selected: string | undefined;
  /** What the comment in the panel's form is about. */
  readonly about: ChosenElement | undefined;
}

/** State of this page alone, shared by the panel, the picture and the snapshot. */
const store = createStore<TalkState>(() => ({ drawing: false, selected: undefined, about: undefined }));

export function useTalk<T>(select: (state: TalkState) => T): T {
  return useStore(store, select);
}

export function drawComment(drawing: boolean): void {
  store.setState({ drawing });
}

export function selectThread(selected: string | undefined): void {
  store.setState({ selected });
}

export function chooseElement(about: ChosenElement | undefined): void {
  store.setState({ about });
}

/** Gives a function that opens the panel with the comments of a session, at a thread or at its form. */
export function useOpenTalk(session: string): (what: { thread: string } | { about: ChosenElement }) => void {
  const [, setPanel] = usePanel(session);
  const [, setOpen] = usePanelOpen();
  const { full, toggle } = useFullScreen();
  return (what) => {
    if (full) toggle();
    setPanel('talk');
    setOpen(true);
    if ('about' in what) chooseElement(what.about);
    else selectThread(what.thread);
  };
}
