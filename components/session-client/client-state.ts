import { applyEdits } from '@/lib/snapshot/delta';
import type { ParticipantView, SessionView, SnapshotPatch, SnapshotView, TimelineEvent } from '@/lib/protocol/views';
import type { LinkOffer } from '@/lib/links/link-terms';
import type { CommentView } from '@/lib/comments/comment';
import { latestOf } from '@/lib/comments/thread';
import type { FilesNews } from '@/lib/files/views';
import type { Message } from '@/lib/messages/message';
import type { RightsView } from '@/lib/protocol/catalog';
import type { ConnectionState } from './connection-state';
import { mergeEvents } from './timeline-log';

/** A tab's snapshot, with the one before it to mark what is new. */
export interface SnapshotPair {
  readonly now: SnapshotView;
  readonly before: SnapshotView | undefined;
}

export interface GoneSession {
  readonly reason: string;
  /** The reason as data. */
  readonly said?: Message | undefined;
  /** True when this page has shown the session before it ended. */
  readonly wasHere: boolean;
}

/** Everything that the server has sent to this page, except pictures: they never pass through React. */
export interface ClientState {
  readonly connection: ConnectionState;
  readonly you: ParticipantView | undefined;
  readonly demoAvailable: boolean;
  /** The workspace of this page; undefined until the first handshake. */
  readonly workspace: { readonly id: string; readonly name: string } | undefined;
  /** What this person may in it; undefined until the first handshake. */
  readonly rights: RightsView | undefined;
  /** What the share link of this page gives; undefined on other pages, and until the first handshake. */
  readonly link: LinkOffer | undefined;
  /** True once the first list of sessions has arrived. */
  readonly listed: boolean;
  readonly sessions: ReadonlyMap<string, SessionView>;
  /** Sessions that this page wanted to join and that do not exist or have ended. */
  readonly gone: ReadonlyMap<string, GoneSession>;
  readonly timelines: ReadonlyMap<string, readonly TimelineEvent[]>;
  /** By `snapshotKey`. */
  readonly snapshots: ReadonlyMap<string, SnapshotPair>;
  /** Files and downloads of the sessions whose files are followed. */
  readonly files: ReadonlyMap<string, FilesNews>;
  /** Comments by id, of the sessions whose comments are followed. */
  readonly comments: ReadonlyMap<string, ReadonlyMap<string, CommentView>>;
}

export const EMPTY_CLIENT_STATE: ClientState = {
  connection: { state: 'connecting' },
  you: undefined,
  demoAvailable: false,
  workspace: undefined,
  rights: undefined,
  link: undefined,
  listed: false,
  sessions: new Map(),
  gone: new Map(),
  timelines: new Map(),
  snapshots: new Map(),
  files: new Map(),
  comments: new Map(),
};

export function snapshotKey(session: string, tab: string): string {
  return `${session}/${tab}`;
}

/** Takes what this person may from now on. */
export function withRights(state: ClientState, rights: RightsView): ClientState {
  const grants = rights.link?.grants ?? rights.grants;
  const told = { ...state, rights, link: rights.link, you: state.you && { ...state.you, grants } };
  const sessions = [...state.sessions].map(([id, session]) => [id, withOwnGrants(told, session)] as const);
  return { ...told, sessions: new Map(sessions) };
}

/** Replaces the list of sessions: sessions that it does not have are gone. */
export function withList(state: ClientState, sessions: readonly SessionView[]): ClientState {
  return { ...state, listed: true, sessions: new Map(sessions.map((session) => [session.id, session])) };
}

/** Takes a pushed session, unless a newer version is known already. */
export function withPushedSession(state: ClientState, session: SessionView): ClientState {
  const known = state.sessions.get(session.id);
  if (known && known.version > session.version) return state;
  return withSession(state, session);
}

/** Takes the session of a join, whatever version is known: a restarted server counts versions anew. */
export function withSession(state: ClientState, session: SessionView): ClientState {
  const gone = new Map(state.gone);
  gone.delete(session.id);
  return { ...state, gone, sessions: new Map(state.sessions).set(session.id, withOwnGrants(state, session)) };
}

/** All guests of a link get the same view, which names nobody's grants: those of a guest are those of the link. */
function withOwnGrants({ link, you }: ClientState, session: SessionView): SessionView {
  if (!link || !you) return session;
  const participants = session.participants.map((one) => (one.id === you.id ? { ...one, grants: you.grants } : one));
  return { ...session, participants };
}

export function withGone(state: ClientState, id: string, reason: string, said?: Message): ClientState {
  const sessions = new Map(state.sessions);
  const wasHere = sessions.delete(id) || state.gone.get(id)?.wasHere === true;
  return { ...state, sessions, gone: new Map(state.gone).set(id, { reason, wasHere, ...(said && { said }) }) };
}

export function withEvents(state: ClientState, session: string, events: readonly TimelineEvent[]): ClientState {
  const merged = mergeEvents(state.timelines.get(session) ?? [], events);
  return { ...state, timelines: new Map(state.timelines).set(session, merged) };
}

/** Forgets the timeline of a session that no part of this page shows any more. */
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

/** Applies a patch to the snapshot (SN8); undefined when the patch is for another revision. */
export function withPatch(state: ClientState, key: string, patch: SnapshotPatch): ClientState | undefined {
  const known = state.snapshots.get(key)?.now;
  if (known?.revision !== patch.since) return undefined;
  const { since: _since, edits, refs, ...about } = patch;
  const text = applyEdits(known.text.split('\n'), edits).join('\n');
  return withSnapshot(state, key, { ...about, text, refs: refsIn(text, [...known.refs, ...refs]) });
}

/** Refs that still appear in the text. */
function refsIn(text: string, refs: SnapshotView['refs']): SnapshotView['refs'] {
  const present = new Set(text.match(/(?<=\[ref=)\w+(?=\])/g));
  return refs.filter(({ ref }) => present.has(ref));
}

/** Takes news of a session's files; without a new list the known list stays. */
export function withFiles(state: ClientState, session: string, news: FilesNews): ClientState {
  const files = news.files ?? state.files.get(session)?.files ?? [];
  return { ...state, files: new Map(state.files).set(session, { ...news, files }) };
}

/** Takes comments: after `comments.watch` all of them, afterwards new and changed ones. */
export function withComments(
  state: ClientState,
  session: string,
  news: readonly CommentView[],
  all = false,
): ClientState {
  const known = all ? [] : (state.comments.get(session) ?? []);
  const present = new Map([...known, ...news.map((one) => [one.id, one] as const)]);
  const latest = latestOf([...present.values()], ({ open }) => open);
  const comments = new Map(latest.map((one) => [one.id, one]));
  return { ...state, comments: new Map(state.comments).set(session, comments) };
}

/** Forgets a snapshot: after a change of options the snapshot before it cannot mark what is new. */
export function withoutSnapshot(state: ClientState, key: string): ClientState {
  const snapshots = new Map(state.snapshots);
  snapshots.delete(key);
  return { ...state, snapshots };
}
