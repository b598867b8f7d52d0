import { applyEdits } from '@/lib/snapshot/delta';
import type { ParticipantView, SessionView, SnapshotPatch, SnapshotView, TimelineEvent } from '@/lib/protocol/views';
import type { FilesNews } from '@/lib/files/views';
import type { ConnectionState } from './connection-state';
import { mergeEvents } from './timeline-log';

/** A tab's snapshot as it is watched, with the one before it for the marks of what is new. */
export interface SnapshotPair {
  readonly now: SnapshotView;
  readonly before: SnapshotView | undefined;
}

export interface GoneSession {
  readonly reason: string;
  /** This page has seen it alive. */
  readonly wasHere: boolean;
}

/** Everything the server has told this page. Pictures are not in it: they never pass through React. */
export interface ClientState {
  readonly connection: ConnectionState;
  readonly you: ParticipantView | undefined;
  readonly demoAvailable: boolean;
  /** The list of sessions has come at least once. */
  readonly listed: boolean;
  readonly sessions: ReadonlyMap<string, SessionView>;
  /** Sessions that somebody here looks at and that are not there. */
  readonly gone: ReadonlyMap<string, GoneSession>;
  readonly timelines: ReadonlyMap<string, readonly TimelineEvent[]>;
  /** By `snapshotKey`. */
  readonly snapshots: ReadonlyMap<string, SnapshotPair>;
  /** Files and downloads of the sessions whose files are followed. */
  readonly files: ReadonlyMap<string, FilesNews>;
}

export const EMPTY_CLIENT_STATE: ClientState = {
  connection: { state: 'connecting' },
  you: undefined,
  demoAvailable: false,
  listed: false,
  sessions: new Map(),
  gone: new Map(),
  timelines: new Map(),
  snapshots: new Map(),
  files: new Map(),
};

export function snapshotKey(session: string, tab: string): string {
  return `${session}/${tab}`;
}

/** The whole list as it is now: what is not in it is no more. */
export function withList(state: ClientState, sessions: readonly SessionView[]): ClientState {
  return { ...state, listed: true, sessions: new Map(sessions.map((session) => [session.id, session])) };
}

/** A push: an older version that arrives late is dropped (architecture, habit 6). */
export function withPushedSession(state: ClientState, session: SessionView): ClientState {
  const known = state.sessions.get(session.id);
  if (known && known.version > session.version) return state;
  return withSession(state, session);
}

/** An answer of a join: believed whatever was known, since a restarted server counts versions anew. */
export function withSession(state: ClientState, session: SessionView): ClientState {
  const gone = new Map(state.gone);
  gone.delete(session.id);
  return { ...state, gone, sessions: new Map(state.sessions).set(session.id, session) };
}

export function withGone(state: ClientState, id: string, reason: string): ClientState {
  const sessions = new Map(state.sessions);
  const wasHere = sessions.delete(id) || state.gone.get(id)?.wasHere === true;
  return { ...state, sessions, gone: new Map(state.gone).set(id, { reason, wasHere }) };
}

export function withEvents(state: ClientState, session: string, events: readonly TimelineEvent[]): ClientState {
  const merged = mergeEvents(state.timelines.get(session) ?? [], events);
  return { ...state, timelines: new Map(state.timelines).set(session, merged) };
}

/** Forgets a session's timeline when nobody here looks at it any more. */
export function withoutSession(state: ClientState, session: string): ClientState {
  const timelines = new Map(state.timelines);
  timelines.delete(session);
  return { ...state, timelines };
}

export function withSnapshot(state: ClientState, key: string, snapshot: SnapshotView): ClientState {
  const known = state.snapshots.get(key)?.now;
  if (known && known.revision > snapshot.revision && known.url === snapshot.url) return state;
  const before = known?.revision === snapshot.revision ? state.snapshots.get(key)?.before : known;
  return { ...state, snapshots: new Map(state.snapshots).set(key, { now: snapshot, before }) };
}

/**
 * The snapshot with the lines that a patch changes (SN8); undefined when the patch is for another revision than the one
 * here.
 */
export function withPatch(state: ClientState, key: string, patch: SnapshotPatch): ClientState | undefined {
  const known = state.snapshots.get(key)?.now;
  if (known?.revision !== patch.since) return undefined;
  const { since: _since, edits, refs, ...about } = patch;
  const text = applyEdits(known.text.split('\n'), edits).join('\n');
  return withSnapshot(state, key, { ...about, text, refs: refsIn(text, [...known.refs, ...refs]) });
}

/** Those that still stand in the text. */
function refsIn(text: string, refs: SnapshotView['refs']): SnapshotView['refs'] {
  const present = new Set(text.match(/(?<=\[ref=)\w+(?=\])/g));
  return refs.filter(({ ref }) => present.has(ref));
}

/** The files of a session as told: the list itself comes only when it changed. */
export function withFiles(state: ClientState, session: string, news: FilesNews): ClientState {
  const files = news.files ?? state.files.get(session)?.files ?? [];
  return { ...state, files: new Map(state.files).set(session, { ...news, files }) };
}

/** After other options were asked for, what came before says nothing about what is new. */
export function withoutSnapshot(state: ClientState, key: string): ClientState {
  const snapshots = new Map(state.snapshots);
  snapshots.delete(key);
  return { ...state, snapshots };
}
