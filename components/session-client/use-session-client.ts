'use client';

import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useNamedSession } from '@/components/messages/use-session-name';
import { useClientParts } from './session-client-provider';
import { snapshotKey, type GoneSession, type ClientState, type SnapshotPair } from './client-state';
import type { SessionClient } from './session-client';
import type { ConnectionState } from './connection-state';
import type { ClientAnswers, ClientEvent, ClientPayload } from '@/lib/protocol/catalog';
import type { ParticipantView, SessionView, TimelineEvent } from '@/lib/protocol/views';

function useRoomState<T>(select: (state: ClientState) => T): T {
  return useStore(useClientParts().store, select);
}

export function useSessionClient(): SessionClient {
  return useClientParts().client;
}

export function useConnection(): ConnectionState {
  return useRoomState((state) => state.connection);
}

/** Who this page is to the server; undefined until the first handshake. */
export function useYou(): ParticipantView | undefined {
  return useRoomState((state) => state.you);
}

export function useDemoAvailable(): boolean {
  return useRoomState((state) => state.demoAvailable);
}

/** Follows the list of sessions while mounted. */
export function useWallWatch(): void {
  const room = useSessionClient();
  useEffect(() => room.watchWall(), [room]);
}

/** Sessions by age, oldest first; undefined until the first list. */
export function useSessions(): readonly SessionView[] | undefined {
  const listed = useRoomState((state) => state.listed);
  const sessions = useRoomState((state) => state.sessions);
  const named = useNamedSession();
  return useMemo(
    () =>
      listed ? [...sessions.values()].map(named).sort((a, b) => a.createdAt.localeCompare(b.createdAt)) : undefined,
    [listed, sessions, named],
  );
}

/** Sends one event; the promise rejects with WheelhouseError. */
export function useRequest(): <E extends ClientEvent>(
  event: E,
  payload: ClientPayload<E>,
) => Promise<ClientAnswers[E]> {
  const room = useSessionClient();
  return useMemo(() => (event, payload) => room.request(event, payload), [room]);
}

export interface JoinedSession {
  /** Undefined until the join was answered, and after the session ended. */
  readonly session: SessionView | undefined;
  /** It ended, or never was. */
  readonly gone: GoneSession | undefined;
}

const NO_EVENTS: readonly TimelineEvent[] = [];

/**
 * What has happened in a joined session, oldest first. Renders again with every event: ask where it is shown, not
 * above.
 */
export function useTimeline(session: string): readonly TimelineEvent[] {
  return useRoomState((state) => state.timelines.get(session) ?? NO_EVENTS);
}

/** Takes part in a session while mounted. */
export function useSession(id: string): JoinedSession {
  const room = useSessionClient();
  useEffect(() => room.joinSession(id), [room, id]);
  const session = useRoomState((state) => state.sessions.get(id));
  const gone = useRoomState((state) => state.gone.get(id));
  const named = useNamedSession();
  return { session: session && named(session), gone };
}

type SnapshotOptions = ClientPayload<'snapshot.watch'>['options'];

export interface WatchedSnapshot {
  readonly pair: SnapshotPair | undefined;
  /** Why there is none. */
  readonly problem: unknown;
  readonly retry: () => void;
}

/**
 * Follows a tab's snapshot while mounted. `options` must keep its identity while nothing in it changes.
 * @param usable the page can be read now; asking waits until it can
 */
export function useSnapshot(session: string, tab: string, options: SnapshotOptions, usable: boolean): WatchedSnapshot {
  const room = useSessionClient();
  const [attempt, setAttempt] = useState(0);
  const wish = useMemo(() => ({ session, tab, options, attempt }), [session, tab, options, attempt]);
  const [failed, setFailed] = useState<{ wish: typeof wish; thrown: unknown }>();
  const pair = useRoomState((state) => state.snapshots.get(snapshotKey(session, tab)));
  const wanted = usable || pair !== undefined;
  useEffect(() => {
    if (!wanted) return undefined;
    return room.watchSnapshot({ session: wish.session, tab: wish.tab, options: wish.options }, (thrown) =>
      setFailed({ wish, thrown }),
    );
  }, [room, wish, wanted]);
  return {
    pair,
    problem: failed?.wish === wish ? failed.thrown : undefined,
    retry: () => setAttempt((count) => count + 1),
  };
}
