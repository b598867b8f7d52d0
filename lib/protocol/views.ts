import { TIER_NAMES } from '@/lib/stream/tiers';
import { z } from 'zod';
import { dialogSchema } from '@/lib/actions/reply';
import { chooserSchema } from '@/lib/files/views';
import { verbPhraseSchema } from '@/lib/actions/verb-phrase';
import { helpRequestSchema } from '@/lib/help/help-request';
import { doneSchema } from '@/lib/actions/done';
import { receiptSchema } from '@/lib/actions/receipt';
import { nodeTargetSchema } from '@/lib/actions/shared';
import { inForceSchema } from '@/lib/control/in-force';
import { optionalMessageSchema } from '@/lib/messages/message';
import { lineEditSchema } from '@/lib/snapshot/delta';

/**
 * What clients see of the server's state. Clock times are ISO 8601 strings, for showing only; durations are
 * milliseconds.
 */

export const actorSchema = z.object({ id: z.string(), name: z.string(), kind: z.enum(['human', 'agent', 'system']) });
export type Actor = z.infer<typeof actorSchema>;

/** The server as an actor, for what no participant did. */
export const SYSTEM_ACTOR: Actor = { id: 'system', name: 'Wheelhouse', kind: 'system' };

/** The name of the first person of a server: a role, not a name; the interface translates it. */
export const OWNER_NAME = 'Owner';

export const participantSchema = actorSchema.extend({
  /** Index into the palette of participant colours, stable for this participant. */
  colour: z.number().int(),
  /** Tab that this person looks at, or that this agent used last. */
  watching: z.string().optional(),
  online: z.boolean(),
  /** What this participant may do here. */
  grants: z.array(z.string()),
  /** May act here, with the wheel. */
  mayDrive: z.boolean().optional(),
  /** A guest of a share link (AU4). */
  guest: z.literal(true).optional(),
  /** Raised a hand, and when (ISO 8601). */
  hand: z.string().optional(),
  /** An agent that was refused twenty times in ten seconds and has not held the lease since (F23). */
  flagged: z.boolean().optional(),
});
export type ParticipantView = z.infer<typeof participantSchema>;

/** A moderator paused the agents of a session: their actions wait (CO4). `at`: ISO 8601. */
export const pausedSchema = z.object({ by: actorSchema, at: z.string() });
export type PausedView = z.infer<typeof pausedSchema>;

export const controlSchema = z.object({
  state: z.enum(['free', 'held', 'draining']),
  holder: actorSchema.nullable(),
  epoch: z.number().int(),
  since: z.string(),
  reason: z.string(),
  /** The agent that gets the lease at a hand-back. */
  takenFrom: actorSchema.nullable(),
  /** The holder's connection is lost; milliseconds from now until the tab becomes free (CO7). */
  parkedMs: z.number().int().optional(),
  /** A private hold: only the holder sees the page. `until` field: ends by itself when the field loses focus (CO8). */
  private: z
    .object({ by: actorSchema, reason: z.string(), until: z.enum(['field', 'ended']), since: z.string() })
    .optional(),
  /**
   * A participant asked for the lease; the holder has this many milliseconds to answer. Then it passes, if the asker
   * may take it, or stays (CO4).
   */
  asked: z.object({ by: actorSchema, ms: z.number().int(), passes: z.boolean() }).optional(),
  paused: pausedSchema.optional(),
  /** Effects of agents that lost the lease which still apply to the tab (CO3). */
  inForce: z.array(inForceSchema).optional(),
  /** Open help requests of this tab, oldest first (CO6). */
  questions: z.array(helpRequestSchema).optional(),
});
export type ControlView = z.infer<typeof controlSchema>;

export const healthSchema = z.object({
  state: z.enum(['loading', 'ready', 'dialog', 'hung', 'crashed', 'closed']),
  since: z.string(),
  reason: z.string(),
  /** `reason` as data, for the languages of the interface. */
  said: optionalMessageSchema,
});
export type HealthView = z.infer<typeof healthSchema>;

export const tabSchema = z.object({
  id: z.string(),
  /** Absent while another participant holds the tab privately (CO8). */
  targetId: z.string().optional(),
  label: z.string().optional(),
  url: z.string(),
  title: z.string(),
  active: z.boolean(),
  health: healthSchema,
  control: controlSchema,
  opener: z.string().optional(),
  /** Set while the tab shows our explanation instead of a page that the egress proxy blocked (GU1). */
  blocked: z
    .object({ rule: z.string(), host: z.string(), port: z.int(), reason: z.string(), said: optionalMessageSchema })
    .optional(),
  /** The agent that holds the lease is stuck (CO9), or the page floods its Chrome (AC6) and what was done about it. */
  stuck: z.object({ since: z.string(), reason: z.string(), said: optionalMessageSchema }).optional(),
  dialog: dialogSchema.optional(),
  chooser: chooserSchema.optional(),
  canGoBack: z.boolean(),
  canGoForward: z.boolean(),
});
export type TabView = z.infer<typeof tabSchema>;

/** The picture of an action, which the route `…/timeline/:id/picture` returns. Sizes in CSS pixels of the viewport. */
const pictureSchema = z.object({ at: z.string(), sha256: z.string(), width: z.number(), height: z.number() });
export type PictureView = z.infer<typeof pictureSchema>;

export const timelineEventSchema = z.object({
  /** Position in the session's timeline; grows by one. */
  seq: z.number().int(),
  /** Links the intent and the outcome of one action (TL1). */
  id: z.string(),
  /** The caller's own `id` of an action, where it gave one. */
  actionId: z.string().optional(),
  phase: z.enum(['intent', 'outcome', 'event']),
  at: z.string(),
  actor: actorSchema,
  /** `ui`: a signed-in person, by HTTP or Socket.IO. `server`: the server itself. */
  door: z.enum(['ui', 'socket', 'http', 'server']),
  tab: z.string().optional(),
  /** An action kind, or one of control, dialog, navigation, tab, session, join, leave, browser, refused. */
  kind: z.string(),
  /** One line for people, page text in it already escaped and bounded: `click button "Sign in"`. */
  text: z.string(),
  /** `text` as data, for events that are not actions; rows of older servers have none. */
  said: optionalMessageSchema,
  /** `text` as data, for actions that were done or refused. */
  deed: verbPhraseSchema.optional().catch(undefined),
  /** Role and name of the element, when there is one. */
  element: z.object({ ref: z.string().optional(), role: z.string(), name: z.string() }).optional(),
  /** Where it happened, CSS pixels of the viewport, for the ripple. */
  point: z.object({ x: z.number(), y: z.number() }).optional(),
  epoch: z.number().int().optional(),
  ms: z.number().optional(),
  outcome: z.enum(['ok', 'failed', 'unknown']).optional(),
  code: z.string().optional(),
  /** For an outcome of kind `input`: the actions recognised in raw pointer and key events, in order (CO11). */
  did: z.array(doneSchema).optional().catch(undefined),
  /** For a hand-back to an agent: the receipt that the agent gets (CO5). */
  receipt: receiptSchema.optional().catch(undefined),
  picture: pictureSchema.optional(),
  /** Id of the comment that it is about (TL3). */
  comment: z.string().optional(),
});
export type TimelineEvent = z.infer<typeof timelineEventSchema>;

export const sessionSchema = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(['live', 'browser-down', 'ended']),
  stateReason: z.string(),
  /** `stateReason` as data. */
  stateSaid: optionalMessageSchema,
  /**
   * Set once the session has been restored in a new Chrome: when, and how old the saved state was. `saved` false:
   * cookies and storage are lost (BR5).
   */
  restored: z.object({ at: z.string(), saved: z.boolean(), seconds: z.int().optional() }).optional(),
  /**
   * Set for a session with an idle limit: the limit, and while people are warned, the milliseconds until the session
   * ends.
   */
  idle: z.object({ limitMs: z.int(), endsInMs: z.int().optional() }).optional(),
  createdAt: z.string(),
  browser: z.object({
    id: z.string(),
    product: z.string(),
    origin: z.enum(['launched', 'attached']),
    /** It runs on a Mac, where Command does what Control does elsewhere. */
    mac: z.literal(true).optional(),
  }),
  isolation: z.enum(['context', 'browser', 'default']),
  /**
   * Whether the egress proxy is the only way out of its pages (GU1). `advisory`: an attached Chrome, which does not use
   * the proxy. `closed`: its pages have no network until the session gets a new context. Absent while the session has
   * no Chrome.
   */
  egress: z
    .object({ state: z.enum(['enforced', 'advisory', 'closed']), reason: z.string(), said: optionalMessageSchema })
    .optional(),
  /** Its own policy of where its pages may go, where it has one that narrows (GU1). */
  narrowed: z.enum(['open', 'listed']).optional(),
  /** Who may enter it, where that is not everybody in the workspace (AU3). `watchOnly`: others only watch. */
  access: z.object({ open: z.enum(['workspace', 'named']), watchOnly: z.boolean() }).optional(),
  /**
   * Requests of its pages that the proxy has denied since this server started; `alert`: when there were twenty within a
   * minute (GU1).
   */
  blocked: z.object({ requests: z.int(), alert: z.string().optional() }).optional(),
  viewport: z.object({
    width: z.number(),
    height: z.number(),
    deviceScaleFactor: z.number().optional(),
    mobile: z.boolean().optional(),
  }),
  /** The tab shown first: the one that was last acted on. */
  activeTab: z.string().nullable(),
  tabs: z.array(tabSchema),
  participants: z.array(participantSchema),
  /**
   * The open comments that this viewer may read (TL3); absent when there are none. `mine`: those of others that mention
   * the viewer or answer them; `last`: the `seq` of the newest of these.
   */
  comments: z.object({ open: z.int(), mine: z.int(), last: z.int().optional() }).optional(),
  lastEvent: timelineEventSchema.nullable(),
  /** Grows with every change; a client drops an older one that arrives late. */
  version: z.number().int(),
});
export type SessionView = z.infer<typeof sessionSchema>;

/** Geometry of a frame (FR4). Sizes in CSS pixels of the page unless said otherwise. */
export const frameMetaSchema = z.object({
  stream: z.string(),
  tab: z.string(),
  /** Grows with every picture of a tab; an older one is dropped. */
  seq: z.number().int(),
  /** Grows when size, scale or document change; travels back with clicks. */
  geometry: z.number().int(),
  width: z.number(),
  height: z.number(),
  pageScale: z.number(),
  offsetTop: z.number(),
  scrollX: z.number(),
  scrollY: z.number(),
  /** Milliseconds since the picture was taken, measured when it was sent: no clocks are compared. */
  ageMs: z.number(),
  /** `motion` from the screencast, `still` the sharp one after motion, `cached` the last one, for a new viewer. */
  sort: z.enum(['motion', 'still', 'cached']),
  format: z.enum(['jpeg', 'png', 'webp']),
});
export type FrameMeta = z.infer<typeof frameMetaSchema>;

export const streamStatusSchema = z.object({
  stream: z.string(),
  tab: z.string(),
  /** What the viewer sees (FR5). `behindMs`: by how much it is late. */
  state: z.enum(['live', 'still', 'behind', 'paused', 'lost']),
  behindMs: z.number().optional(),
  reason: z.string().optional(),
  /** The quality of its pictures, and why (FR6): a slow link, its size, or the viewer's choice. */
  tier: z.enum(TIER_NAMES).optional(),
  because: z.enum(['link', 'size', 'chosen']).optional(),
});
export type StreamStatus = z.infer<typeof streamStatusSchema>;

const snapshotStatsSchema = z.object({
  lines: z.number(),
  chars: z.number(),
  tokens: z.number(),
  refs: z.number(),
  interactive: z.number(),
  depth: z.number(),
  ms: z.object({ total: z.number(), ax: z.number(), dom: z.number(), format: z.number() }),
});

export const boxSchema = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

const snapshotAboutSchema = z.object({
  /**
   * The refs of the printed lines. `box`, if asked for: CSS pixels of the viewport. `node`, with `refs=1`: value for
   * the target field `node`.
   */
  refs: z.array(
    z.object({
      ref: z.string(),
      role: z.string(),
      name: z.string(),
      box: boxSchema.optional(),
      node: nodeTargetSchema.optional(),
    }),
  ),
  stats: snapshotStatsSchema,
  revision: z.number().int(),
  source: z.object({ kind: z.enum(['ax', 'mixed', 'dom']), reason: z.string() }),
  url: z.string(),
  title: z.string(),
  truncated: z.object({ shownLines: z.number(), totalLines: z.number(), how: z.string() }).optional(),
});

export const snapshotViewSchema = snapshotAboutSchema.extend({
  text: z.string(),
  /** If `since` was given: the edits that the text describes, or why the text is complete instead (SN7). */
  delta: z
    .object({ since: z.int(), edits: z.array(lineEditSchema).optional(), whole: z.string().optional() })
    .optional(),
});
export type SnapshotView = z.infer<typeof snapshotViewSchema>;

/**
 * Turns a watcher's text of revision `since` into the new one. `refs`: of the inserted lines; `stats`: of the whole
 * text (SN8).
 */
export const snapshotPatchSchema = snapshotAboutSchema.extend({ since: z.int(), edits: z.array(lineEditSchema) });
export type SnapshotPatch = z.infer<typeof snapshotPatchSchema>;
