import { z } from 'zod';
import { receiptSchema } from '@/lib/actions/receipt';
import { replySchema, stepResultSchema } from '@/lib/actions/reply';
import { wireErrorSchema } from '@/lib/errors/error';
import { helpRequestSchema } from '@/lib/help/help-request';
import { controlSchema, sessionSchema, snapshotViewSchema, tabSchema } from '@/lib/protocol/views';
import { grantSchema } from '@/lib/rights/grants';
import { factorSchema } from '@/lib/people/factors';
import { roleSchema, sessionRoleSchema } from '@/lib/rights/roles';
import { withheldSchema } from '@/lib/rights/grants';

/**
 * The schemas of the routes' answers, for the OpenAPI document and the test that checks every route against it (DO1).
 */

/** The body of every failed call. */
export const failureSchema = z.object({ error: wireErrorSchema });

/** The media type of an answer that is not JSON. */
export interface MediaAnswer {
  readonly media: string;
}

const warnings = z.array(z.string()).optional();
export const sessionAnswerSchema = sessionSchema.extend({ links: z.object({ view: z.string() }), warnings });
export const tabAnswerSchema = tabSchema.extend({ warnings });
export const endedSchema = z.object({ id: z.string(), state: z.literal('ended') });
export const tabActionSchema = z.object({ ok: z.literal(true), tab: z.string() });
export const stepsAnswerSchema = z.object({ parsed: z.unknown(), reply: replySchema, result: stepResultSchema });
/** `refs` is present with `refs=1` or `boxes=1` only. */
export const snapshotAnswerSchema = snapshotViewSchema.partial({ refs: true });
/** `answers`: the outcomes of the caller's questions that no reply has carried yet. */
export const controlAnswerSchema = controlSchema.extend({
  handoff: receiptSchema.optional(),
  answers: z.array(helpRequestSchema).optional(),
});
/** `question`: the question that this call asked or answered. */
export const leaseRequestAnswerSchema = controlSchema.extend({
  question: helpRequestSchema.optional(),
  handoff: receiptSchema.optional(),
});

export const browserSchema = z.object({
  id: z.string(),
  origin: z.enum(['launched', 'attached']),
  product: z.string(),
  state: z.enum(['live', 'down']),
  tabs: z.int(),
});

const candidateSchema = z.object({
  name: z.string(),
  path: z.string(),
  source: z.enum(['setting', 'os-default', 'path', 'known place', 'installations']),
  usable: z.boolean(),
  reason: z.string(),
});
export const detectionSchema = z.object({
  chosen: candidateSchema.extend({ version: z.string() }).nullable(),
  candidates: z.array(candidateSchema),
});

export const keySchema = z.object({
  id: z.string(),
  name: z.string(),
  hint: z.string(),
  person: z.string(),
  madeBy: z.string().nullable(),
  grants: z.array(grantSchema),
  sessions: z.union([z.enum(['own', 'workspace']), z.array(z.string())]),
  createdAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
  rotatedAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  lastUsedFrom: z.string().nullable(),
  preset: z.boolean(),
});
/** The only answer that contains the key's text. */
export const newKeySchema = keySchema.extend({ key: z.string() });
export const revokedSchema = z.object({ id: z.string(), revoked: z.literal(true) });

export const invitationSchema = z.object({
  id: z.string(),
  role: roleSchema,
  email: z.string().nullable(),
  by: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  /** Whether the link was sent to `email`; `failed`: pass it on by hand. */
  mail: z.enum(['none', 'sending', 'sent', 'failed']),
});
export const workspaceSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Null for a key. */
  role: roleSchema.nullable(),
  home: z.boolean(),
  withheld: withheldSchema.nullable(),
});

const egressAnswerSchema = z.union([
  z.object({ kind: z.enum(['open', 'local']) }),
  z.object({ kind: z.literal('listed'), sites: z.array(z.string()) }),
]);
/** The workspace of a call with its policies. */
export const presentWorkspaceSchema = workspaceSchema.extend({
  policy: z.object({ egress: egressAnswerSchema.nullable(), idleMs: z.int().nullable(), secondFactor: z.boolean() }),
  /** Names this state; `PATCH` refuses an older one. */
  revision: z.string(),
  /** The first one of the server, which cannot be ended. */
  first: z.boolean(),
});
/** Where the pages of a session may go; null: no policy. */
export const sessionPolicyAnswerSchema = z.object({
  session: z.string(),
  egress: egressAnswerSchema.nullable(),
  workspace: egressAnswerSchema.nullable(),
  mayChange: z.boolean(),
});
/** Which rule denies an address, and whose it is. */
export const guardSchema = z.object({
  allowed: z.boolean(),
  rule: z.string().nullable(),
  by: z.enum(['server', 'workspace', 'session']).nullable(),
});

export const memberSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  role: roleSchema,
  since: z.string(),
  serverOwner: z.boolean(),
});

const namedSchema = z.object({ id: z.string(), name: z.string() });
const whoSchema = z.enum(['person', 'key']);
/** Who may enter a session, and what as. */
export const accessSchema = z.object({
  session: z.string(),
  open: z.enum(['workspace', 'named']),
  watchOnly: z.boolean(),
  owner: namedSchema.nullable(),
  roles: z.array(z.object({ who: z.string(), name: z.string(), kind: whoSchema, role: sessionRoleSchema })),
  mayChange: z.boolean(),
  candidates: z.array(namedSchema.extend({ kind: whoSchema })).optional(),
});

/** The only answer that contains the invitation's link. */
export const newInvitationSchema = invitationSchema.extend({ url: z.string() });

/** What an invitation offers. `workspace` is its name; `email`: it is for this address only. */
export const offerSchema = z.object({
  role: roleSchema,
  /** Its name. */
  workspace: z.string(),
  workspaceId: z.string(),
  email: z.string().nullable(),
  expiresAt: z.string(),
});
/** `workspace`: the id of the one that was joined. */
export const joinedSchema = z.object({ signedIn: z.literal(true), workspace: z.string() });

/** How people can sign in. `reason`: why passkeys do not work at this address. */
export const signInMethodsSchema = z.object({
  /** `name`: the host of the provider. */
  oidc: z.object({ name: z.string() }).optional(),
  password: z.boolean(),
  passkey: z.object({ available: z.boolean(), reason: z.enum(['ip-address']).optional() }),
  accounts: z.boolean(),
  now: z.string(),
});

export const signedInSchema = z.object({ signedIn: z.literal(true) });
/** `secondFactor`: what the person proves next; nobody is signed in yet. `now`: the time of the server. */
export const signInOutcomeSchema = z.union([
  signedInSchema,
  z.object({ secondFactor: z.array(z.enum(['code', 'recovery'])), now: z.string() }),
]);

/** A sign-in of the caller; `here`: the one that the call came with. */
export const signInSchema = z.object({
  id: z.string(),
  factor: z.string(),
  address: z.string().nullable(),
  agent: z.string().nullable(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
  expiresAt: z.string(),
  here: z.boolean(),
});
/** `proof`: what changes of the account ask for, the present password or a sign-in of the last 15 minutes. */
export const accountSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  workspace: z.string(),
  role: roleSchema.nullable(),
  serverOwner: z.boolean(),
  factor: factorSchema,
  signedInAt: z.string(),
  password: z.boolean(),
  secondFactor: z.object({ on: z.boolean(), recoveryCodes: z.int() }),
  passkeys: z.int(),
  oidc: z.boolean(),
  proof: z.enum(['password', 'sign-in']),
  now: z.string(),
});
/** `uri` is for the QR code of the authenticator app. The only answer that contains these secrets. */
export const newSecondFactorSchema = z.object({
  uri: z.string(),
  secret: z.string(),
  recoveryCodes: z.array(z.string()),
});

export const passkeySchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  createdAt: z.string().nullable(),
});
/** What `navigator.credentials` of the browser gets, as JSON. */
export const passkeyOptionsSchema = z.looseObject({ challenge: z.string() });

export const demoSchema = z.object({
  state: z.string(),
  siteUrl: z.string().optional(),
  session: z.string().optional(),
});
