import { z } from 'zod';
import { snapshotOptionFields } from '@/lib/actions/snapshot-options';
import { inputEventSchema, pointerSchema } from './input';
import { TIER_NAMES } from '@/lib/stream/tiers';
import { LEASE_VERBS, leaseRequestFields } from './lease-request';
import type { PopupView } from './popup';
import type { Message } from '@/lib/messages/message';
import type { WireError } from '@/lib/errors/error';
import type { Reply } from '@/lib/actions/reply';
import { linkOfferSchema } from '@/lib/links/link-terms';
import type { CursorNews } from '@/lib/presence/cursors';
import { grantSchema, withheldSchema } from '@/lib/rights/grants';
import { roleSchema } from '@/lib/rights/roles';
import type { CommentView } from '@/lib/comments/comment';
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
/** `auto`: as good as the viewer's link and size allow. */
const tierChoice = z.enum([...TIER_NAMES, 'auto']);
/** How wide the viewer shows the picture: its own CSS pixels, and device pixels for each. */
const shownSize = z.strictObject({ width: z.number().min(1).max(20_000), dpr: z.number().min(0.1).max(10) });
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
   * sets. With the tier `auto` the quality follows the link, and `size` (FR6).
   */
  'stream.open': z.strictObject({
    session: id,
    tab: id,
    tier: tierChoice,
    maxFps: z.number().min(0.2).max(60).optional(),
    size: shownSize.optional(),
  }),
  /** Choose the quality of an open stream, or leave it to its link and the size at which it is shown (FR6). */
  'stream.pin': z.strictObject({ stream: id, tier: tierChoice, size: shownSize.optional() }),
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
  /** Follow the comments of a session (TL3): answers with the present ones; changed ones are pushed as `comments`. */
  'comments.watch': z.strictObject({ session: id }),
  'comments.unwatch': z.strictObject({ session: id }),
  /**
   * The element at a point of the viewport, CSS pixels: what a comment on that place is about. With `geometry` it is
   * refused when the page has changed since that picture.
   */
  'element.at': z.strictObject({
    ...onTab,
    x: z.number().min(0).max(100_000),
    y: z.number().min(0).max(100_000),
    geometry: z.int().optional(),
  }),
  /** Where an element is now, CSS pixels of the viewport; null when it has no box. */
  'element.box': z.strictObject({ ...onTab, ref: id }),
  /**
   * Where the caller's pointer is on a tab that they watch, for the others (AU5). Above the limit it is dropped without
   * an error. Who drives sends none: their raw input says it.
   */
  cursor: z.strictObject({ ...onTab, at: pointerSchema }),
  /** Raise a hand, or lower it (AU5). */
  hand: z.strictObject({ session: id, up: z.boolean() }),
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
  /** What the share link of this connection gives at the moment, for its guest (AU4). */
  link: linkOfferSchema.optional(),
});
export type RightsView = z.infer<typeof rightsViewSchema>;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** An element of a page; its name is page text. */
export interface ElementView {
  readonly ref?: string | undefined;
  readonly role: string;
  readonly name: string;
}

/** The answer to each client event. */
export interface ClientAnswers {
  hello: {
    you: ParticipantView;
    protocol: number;
    demoAvailable: boolean;
    /** The workspace of this connection; null for a guest of a share link. */
    workspace: { id: string; name: string } | null;
  } & RightsView;
  'wall.watch': { sessions: SessionView[] };
  'wall.unwatch': Record<string, never>;
  'session.join': { session: SessionView; timeline: TimelineEvent[] };
  'session.leave': Record<string, never>;
  'stream.open': { stream: string };
  'stream.pin': Record<string, never>;
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
  /** All open ones that the caller may read and the latest others, oldest first. */
  'comments.watch': { comments: CommentView[] };
  'comments.unwatch': Record<string, never>;
  'element.at': { element: ElementView | null };
  'element.box': { box: Box | null };
  cursor: Record<string, never>;
  hand: Record<string, never>;
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
  /** New and changed ones, whole; also when an element moved, or its page has gone. */
  comments: (push: { session: string; comments: CommentView[] }) => void;
  /**
   * The pointers of others on a tab that this connection streams, larger than a thumbnail: the last place of each that
   * moved, and who has gone (AU5).
   */
  cursors: (push: { session: string; tab: string } & CursorNews) => void;
  /** What the caller may in the workspace has changed, or by their link. */
  rights: (rights: RightsView) => void;
  /** The server is about to close the connection, and why. */
  goodbye: (why: { reason: string; retryInMs?: number }) => void;
}

export type ClientToServerEvents = {
  [E in ClientEvent]: (payload: ClientPayload<E>, answer: (ack: Ack<ClientAnswers[E]>) => void) => void;
};
