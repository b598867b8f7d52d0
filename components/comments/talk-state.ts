'use client';

import { createStore } from 'zustand/vanilla';
import { useStore } from 'zustand';
import { usePanel, usePanelOpen, useFullScreen } from '@/components/cockpit/use-view';
import type { Box, ElementView } from '@/lib/protocol/catalog';
import type { FrameMeta } from '@/lib/protocol/views';

/** An element of a page that somebody is about to comment on. */
export interface ChosenElement {
  readonly ref: string;
  /** Role and name; page-made text. */
  readonly name: string;
}

/** A box that somebody draws. */
export interface Drawn {
  /** CSS pixels of the viewport, as `picture` shows it. */
  readonly box: Box;
  readonly picture: FrameMeta;
  /** What was found under its middle. */
  readonly element?: ElementView;
  /** Whether it is drawn to its end and takes a text. */
  readonly done: boolean;
}

/** What somebody writes: it stays until they send or discard it, whatever the page shows meanwhile. */
export interface Draft {
  readonly text: string;
  readonly sending: boolean;
  /** Why it was not sent. */
  readonly error?: unknown;
  /** What it is about. */
  readonly element?: ChosenElement | undefined;
  readonly drawn?: Drawn | undefined;
}

const EMPTY: Draft = { text: '', sending: false };

/** Names of drafts: of the form in the panel, of the box on the picture, and of an answer. */
export const draftOn = {
  tab: (session: string, tab: string) => `${session}/${tab}`,
  box: (session: string, tab: string) => `${session}/${tab}/box`,
  answer: (comment: string) => comment,
} as const;

interface TalkState {
  /** The draft whose box is being drawn; undefined while the tool is off. */
  readonly drawing: string | undefined;
  /** The thread that the panel shows and whose box the picture shows. */
  readonly selected: string | undefined;
  readonly drafts: ReadonlyMap<string, Draft>;
}

/** State of this page alone, shared by the panel, the picture and the snapshot. */
const store = createStore<TalkState>(() => ({ drawing: undefined, selected: undefined, drafts: new Map() }));

export function useTalk<T>(select: (state: TalkState) => T): T {
  return useStore(store, select);
}

/** Turns the tool on for the box of a draft. */
export function startDrawing(draft: string): void {
  store.setState({ drawing: draft });
}

/** Turns the tool off, where it is on for this draft. */
export function stopDrawing(draft: string): void {
  store.setState(({ drawing }) => (drawing === draft ? { drawing: undefined } : {}));
}

export function selectThread(selected: string | undefined): void {
  store.setState({ selected });
}

export function useDraft(name: string): Draft {
  return useTalk(({ drafts }) => drafts.get(name) ?? EMPTY);
}

export function changeDraft(name: string, part: Partial<Draft>): void {
  store.setState(({ drafts }) => ({ drafts: new Map(drafts).set(name, { ...(drafts.get(name) ?? EMPTY), ...part }) }));
}

/** Names what was found under a drawn box, unless another one was drawn meanwhile. */
export function nameElement(draft: string, box: Box, element: ElementView): void {
  const { drawn } = store.getState().drafts.get(draft) ?? EMPTY;
  if (drawn?.box === box) changeDraft(draft, { drawn: { ...drawn, element } });
}

export function discardDraft(name: string): void {
  store.setState(({ drafts }) => ({ drafts: new Map([...drafts].filter(([one]) => one !== name)) }));
}

/** Adds the texts that were begun on tabs of a session which are closed now to another draft. */
export function adoptDrafts(session: string, open: readonly string[], into: string): void {
  const kept = new Set(open.flatMap((tab) => [draftOn.tab(session, tab), draftOn.box(session, tab)]));
  for (const [name, { text, sending }] of store.getState().drafts) {
    if (!name.startsWith(`${session}/`) || kept.has(name) || name === into || sending) continue;
    discardDraft(name);
    const here = store.getState().drafts.get(into)?.text ?? '';
    if (text.trim() !== '') changeDraft(into, { text: here === '' ? text : `${here}\n${text}` });
  }
}

/**
 * Sends the text of a draft, unless it is empty or being sent. Afterwards only what was typed meanwhile is left of it;
 * after a failure all of it, with the reason. True when it was sent and nothing is left.
 */
export async function sendDraft(name: string, send: (text: string) => Promise<unknown>): Promise<boolean> {
  const { text, sending } = store.getState().drafts.get(name) ?? EMPTY;
  if (sending || text.trim() === '') return false;
  changeDraft(name, { sending: true, error: undefined });
  try {
    await send(text.trim());
  } catch (error) {
    // Nobody waits for what was discarded meanwhile.
    if (store.getState().drafts.has(name)) changeDraft(name, { sending: false, error });
    return false;
  }
  const now = store.getState().drafts.get(name)?.text ?? '';
  const rest = (now.startsWith(text) ? now.slice(text.length) : now).trimStart();
  if (rest === '') discardDraft(name);
  else changeDraft(name, { text: rest, sending: false });
  return rest === '';
}

/** Gives a function that opens the panel with the comments of a session, at a thread or at the form for an element. */
export function useOpenTalk(
  session: string,
): (what: { thread: string } | { tab: string; element: ChosenElement }) => void {
  const [, setPanel] = usePanel(session);
  const [, setOpen] = usePanelOpen();
  const { full, toggle } = useFullScreen();
  return (what) => {
    if (full) toggle();
    setPanel('talk');
    setOpen(true);
    if ('thread' in what) selectThread(what.thread);
    else changeDraft(draftOn.tab(session, what.tab), { element: what.element });
  };
}
