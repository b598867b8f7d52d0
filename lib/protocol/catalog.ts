import { z } from 'zod';
import { snapshotOptionFields } from '@/lib/actions/snapshot-options';
import { inputEventSchema } from './input';
import { LEASE_VERBS, leaseRequestFields } from './lease-request';
import type { PopupView } from './popup';
import type { Message } from '@/lib/messages/message';
import type { WireError } from '@/lib/errors/error';
import type { Reply } from '@/lib/actions/reply';
import { grantSchema, withheldSchema } from '@/lib/rights/grants';
import { roleSchema } from '@/lib/rights/roles';
import type { FilesNews } from '@/lib/files/views';
import type { HelpRequestView } from '@/lib/help/help-request';
import type { BufferNews } from '@/lib/buffers/news';
import type {
  ControlView,
  FrameMeta,
  ParticipantView,
  SessionView,
  SnapshotPatch,
  SnapshotView,
  StreamStatus,
  TimelineEvent,
} from './views';

/** Version of the Socket.IO catalogs below. A client of another major version is told to reload. */
export const PROTOCOL_VERSION = 1;

const id = z.string().min(1).max(200);
const onTab = { session: id, tab: id } as const;

/** Client to server: every event carries one object and is answered by one acknowledgement (DO2). */
export const CLIENT_EVENTS = {
  /** First event of a connection. */
  hello: z.strictObject({ protocol: z.int() }),
  /** Follow every session of the workspace; the answer is the list as it is now. */
  'wall.watch': z.strictObject({}),
  'wall.unwatch': z.strictObject({}),
  /** Become a participant of a session; its state and its latest timeline come back. */
  'session.join': z.strictObject({ session: id }),
  'session.leave': z.strictObject({ session: id }),
  /**
   * Watch a tab. `tab` may be `active`, which follows the last acted-on tab. `maxFps` is a ceiling that the viewer
   * sets.
   */
  'stream.open': z.strictObject({
    session: id,
    tab: id,
    tier: z.enum(['thumbnail', 'standard', 'high']),
    maxFps: z.number().min(0.2).max(60).optional(),
  }),
  'stream.close': z.strictObject({ stream: id }),
  /** Raw input by the holder, fenced by epoch and aimed by geometry (CO11, FR4). */
  input: z.strictObject({ ...onTab, epoch: z.int(), geometry: z.int(), event: inputEventSchema }),
  /** The selected text of the page, for copying (SE6). Holder only. */
  copy: z.strictObject({ ...onTab, epoch: z.int(), cut: z.boolean() }),
  /** One action, parsed by `parseAction` (AC1). */
  act: z.strictObject({ ...onTab, action: z.unknown() }),
  control: z.strictObject({ ...onTab, do: z.enum(LEASE_VERBS), ...leaseRequestFields }),
  /** Follow a tab's snapshot: sent again after the page settles (SN8). Same options as the snapshot action. */
  'snapshot.watch': z.strictObject({ ...onTab, options: z.strictObject(snapshotOptionFields) }),
  'snapshot.unwatch': z.strictObject(onTab),
  /**
   * Follow the console, errors and requests of a tab (PS1): answers with all entries; new ones are pushed as `rings`.
   */
  'rings.watch': z.strictObject(onTab),
  'rings.unwatch': z.strictObject(onTab),
  /**
   * Follow the files and downloads of a session (DI2): answers with the present list; changes are pushed as `files`.
   */
  'files.watch': z.strictObject({ session: id }),
  'files.unwatch': z.strictObject({ session: id }),
  /** Where an element is now, CSS pixels of the viewport; null when it has no box. */
  'element.box': z.strictObject({ ...onTab, ref: id }),
  'timeline.list': z.strictObject({
    session: id,
    before: z.int().optional(),
    limit: z.int().min(1).max(500).optional(),
  }),
} as const satisfies Record<string, z.ZodType>;

export type ClientEvent = keyof typeof CLIENT_EVENTS;
export type ClientPayload<E extends ClientEvent> = z.infer<(typeof CLIENT_EVENTS)[E]>;

/** What the caller of a connection may in its workspace. */
export const rightsViewSchema = z.object({
  /** The role of a person; null for a key. */
  role: roleSchema.nullable(),
  grants: z.array(grantSchema),
  /** Whether this is the owner of the server, who alone sees its state. */
  server: z.boolean(),
  /** Why a member has no grants here at the moment. */
  withheld: withheldSchema.nullable(),
});
export type RightsView = z.infer<typeof rightsViewSchema>;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The answer to each client event. */
export interface ClientAnswers {
  hello: {
    you: ParticipantView;
    protocol: number;
    demoAvailable: boolean;
    /** The workspace of this connection. */
    workspace: { id: string; name: string };
  } & RightsView;
  'wall.watch': { sessions: SessionView[] };
  'wall.unwatch': Record<string, never>;
  'session.join': { session: SessionView; timeline: TimelineEvent[] };
  'session.leave': Record<string, never>;
  'stream.open': { stream: string };
  'stream.close': Record<string, never>;
  /** `popup`: the press was kept from the page; draw this instead (DI3). */
  input: { popup?: PopupView | undefined };
  copy: { text: string };
  act: Reply;
  /** `question`: the one that was asked or answered (CO6). */
  control: { control: ControlView; question?: HelpRequestView | undefined };
  'snapshot.watch': { snapshot: SnapshotView };
  'snapshot.unwatch': Record<string, never>;
  'rings.watch': { rings: BufferNews };
  'rings.unwatch': Record<string, never>;
  'files.watch': { files: FilesNews };
  'files.unwatch': Record<string, never>;
  'element.box': { box: Box | null };
  'timeline.list': { events: TimelineEvent[] };
}

export type Ack<T> = { ok: true; data: T } | { ok: false; error: WireError };

/** Server to client. `frame` is acknowledged by the client when painted: that is the viewer's credit (FR2). */
export interface ServerToClientEvents {
  'session.state': (session: SessionView) => void;
  'session.gone': (gone: { id: string; reason: string; said?: Message | undefined }) => void;
  timeline: (batch: { session: string; events: TimelineEvent[] }) => void;
  frame: (meta: FrameMeta, picture: ArrayBuffer | Uint8Array, painted: () => void) => void;
  'stream.status': (status: StreamStatus) => void;
  snapshot: (push: { session: string; tab: string; snapshot: SnapshotView }) => void;
  /**
   * Replaces a whole snapshot: turns the text of revision `patch.since` into the new one. A client that has another
   * revision must watch again.
   */
  'snapshot.patch': (push: { session: string; tab: string; patch: SnapshotPatch }) => void;
  rings: (push: { session: string; tab: string; rings: BufferNews }) => void;
  files: (push: { session: string; files: FilesNews }) => void;
  /** What the caller may in the workspace has changed. */
  rights: (rights: RightsView) => void;
  /** The server is about to close the connection, and why. */
  goodbye: (why: { reason: string; retryInMs?: number }) => void;
}

export type ClientToServerEvents = {
  [E in ClientEvent]: (payload: ClientPayload<E>, answer: (ack: Ack<ClientAnswers[E]>) => void) => void;
};
