import { z } from 'zod';
import { messageSchema } from '@/lib/messages/message';

/** The state of the server, for its owner. */
export const serverViewSchema = z.object({
  version: z.string(),
  /** Version of Node.js. */
  node: z.string(),
  platform: z.string(),
  /** ISO 8601, as all times. */
  startedAt: z.string(),
  now: z.string(),
  /** Origins at which the server is reachable. */
  addresses: z.array(z.string()),
  /** Other computers can reach it. */
  beyondLoopback: z.boolean(),
  tls: z.boolean(),
  /** The operator's proxies in front. */
  trustedHops: z.int(),
  owner: z.object({ id: z.string(), name: z.string() }),
  workspaces: z.array(z.object({ id: z.string(), name: z.string(), members: z.int(), sessions: z.int() })),
  /** The Chromes of all workspaces. */
  browsers: z.array(
    z.object({
      id: z.string(),
      workspace: z.string(),
      origin: z.enum(['launched', 'attached']),
      product: z.string(),
      state: z.enum(['live', 'down']),
      tabs: z.int(),
    }),
  ),
  /** The check of the timelines' chains. */
  timelines: z.looseObject({ state: z.enum(['checking', 'ok', 'broken', 'failed']) }),
  /** The present problem of the database. */
  trouble: z.string().nullable(),
  warnings: z.array(z.string()),
  /** The same for translation; null where the reader does not know a message. */
  warningsSaid: z.array(messageSchema.nullable().catch(null)),
  disk: z.object({ databaseBytes: z.number(), freeBytes: z.number() }),
  /** By variable: its value, or whether it is set where the value may hold a secret. */
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  mail: z.object({ server: z.string(), from: z.string() }).nullable(),
  oidc: z.object({ issuer: z.string(), domains: z.array(z.string()), role: z.string() }).nullable(),
  passwordSignIn: z.boolean(),
  /** Totals of the counters at `/metrics`. */
  figures: z.record(z.string(), z.number()),
});
export type ServerView = z.infer<typeof serverViewSchema>;
