'use client';

import { useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useNamedSession } from '@/components/messages/use-session-name';
import { useClientParts } from './session-client-provider';
import { snapshotKey, type GoneSession, type ClientState, type SnapshotPair } from './client-state';
import type { SessionClient } from './session-client';
import type { ConnectionState } from './connection-state';
import type { ClientAnswers, ClientEvent, ClientPayload } from '@/lib/protocol/catalog';
import type { Grant } from '@/lib/rights/grants';
import type { ParticipantView, SessionView, TimelineEvent } from '@/lib/protocol/views';

function useClientState<T>(select: (state: ClientState) => T): T {
  return useStore(useClientParts().store, select);
}

export function useSessionClient(): SessionClient {
  return useClientParts().client;
}

export function useConnection(): ConnectionState {
  return useClientState((state) => state.connection);
}

/** The workspace of this page; undefined until the first handshake. */
export function useWorkspace(): ClientState['workspace'] {
  return useClientState((state) => state.workspace);
}

/** What this person may in the workspace of this page; undefined until the first handshake. */
export function useRights(): ClientState['rights'] {
  return useClientState((state) => state.rights);
}

/** Whether this person has a grant in the workspace; true before the first handshake. The server decides. */
export function useMay(grant: Grant): boolean {
  return useRights()?.grants.includes(grant) !== false;
}

/** Gives a function that takes a new name of this page's workspace, which others learn by their next handshake. */
export function useNameWorkspace(): (name: string) => void {
  const { store } = useClientParts();
  return useCallback(
    (name) => store.setState(({ workspace }) => (workspace ? { workspace: { ...workspace, name } } : {})),
    [store],
  );
}

/** What the share link of this page gives; undefined on the pages of members. */
export function useLink(): ClientState['link'] {
  return useClientState((state) => state.link);
}

/** This page's participant; undefined until the first handshake. */
export function useYou(): ParticipantView | undefined {
  return useClientState((state) => state.you);
}

export function useDemoAvailable(): boolean {
  return useClientState((state) => state.demoAvailable);
}

/** Follows the list of sessions while mounted. */
export function useWallWatch(): void {
  const client = useSessionClient();
  useEffect(() => client.watchWall(), [client]);
}

/** Sessions, oldest first; undefined until the first list. */
export function useSessions(): readonly SessionView[] | undefined {
  const listed = useClientState((state) => state.listed);
  const sessions = useClientState((state) => state.sessions);
  const named = useNamedSession();
  return useMemo(
    () =>
      listed ? [...sessions.values()].map(named).sort((a, b) => a.createdAt.localeCompare(b.createdAt)) : undefined,
    [listed, sessions, named],
  );
}

/** Gives a function that sends one event; its promise rejects with WheelhouseError. */
export function useRequest(): <E extends ClientEvent>(
  event: E,
  payload: ClientPayload<E>,
) => Promise<ClientAnswers[E]> {
  const client = useSessionClient();
  return useMemo(() => (event, payload) => client.request(event, payload), [client]);
}

export interface JoinedSession {
  /** Undefined until the join is answered, and after the session has ended. */
  readonly session: SessionView | undefined;
  /** Set when the session has ended or never existed. */
  readonly gone: GoneSession | undefined;
}

const NO_EVENTS: readonly TimelineEvent[] = [];

/**
 * Events of a joined session, oldest first. Every event renders the caller again, so call it in the component that
 * shows them.
 */
export function useTimeline(session: string): readonly TimelineEvent[] {
  return useClientState((state) => state.timelines.get(session) ?? NO_EVENTS);
}

/** Joins a session while mounted. */
export function useSession(id: string): JoinedSession {
  const client = useSessionClient();
  useEffect(() => client.joinSession(id), [client, id]);
  const session = useClientState((state) => state.sessions.get(id));
  const gone = useClientState((state) => state.gone.get(id));
  const named = useNamedSession();
  return { session: session && named(session), gone };
}

type SnapshotOptions = ClientPayload<'snapshot.watch'>['options'];

export interface WatchedSnapshot {
  readonly pair: SnapshotPair | undefined;
  /** Error of the last attempt; undefined when there is none. */
  readonly problem: unknown;
  readonly retry: () => void;
}

/**
 * Follows a tab's snapshot while mounted. `options` must keep its identity while its values stay the same.
 * @param usable whether the page can be read now; the first request waits until it can
 */
export function useSnapshot(session: string, tab: string, options: SnapshotOptions, usable: boolean): WatchedSnapshot {
  const client = useSessionClient();
  const [attempt, setAttempt] = useState(0);
  const request = useMemo(() => ({ session, tab, options, attempt }), [session, tab, options, attempt]);
  const [failed, setFailed] = useState<{ request: typeof request; thrown: unknown }>();
  const pair = useClientState((state) => state.snapshots.get(snapshotKey(session, tab)));
  const wanted = usable || pair !== undefined;
  useEffect(() => {
    if (!wanted) return undefined;
    return client.watchSnapshot({ session: request.session, tab: request.tab, options: request.options }, (thrown) =>
      setFailed({ request, thrown }),
    );
  }, [client, request, wanted]);
  return {
    pair,
    problem: failed?.request === request ? failed.thrown : undefined,
    retry: () => setAttempt((count) => count + 1),
  };
}
