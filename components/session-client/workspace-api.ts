import { z } from 'zod';
import { call, callHome } from '@/components/session-client/api';
import { egressPolicySchema, type EgressPolicy } from '@/lib/egress/policy';
import { withheldSchema } from '@/lib/rights/grants';
import { roleSchema } from '@/lib/rights/roles';

/** The HTTP API of workspaces. */

const workspaceSchema = z.object({
  id: z.string(),
  name: z.string(),
  role: roleSchema.nullable(),
  home: z.boolean(),
  /** Why this person has no rights there at the moment. */
  withheld: withheldSchema.nullable(),
});
export type WorkspaceEntry = z.infer<typeof workspaceSchema>;

const settingsSchema = workspaceSchema.extend({
  policy: z.object({ egress: egressPolicySchema.nullable(), idleMs: z.number().nullable(), secondFactor: z.boolean() }),
  /** Names this state of the settings. */
  revision: z.string(),
  /** The first one of the server, which cannot be ended. */
  first: z.boolean(),
});
export type WorkspaceSettings = z.infer<typeof settingsSchema>;

export interface WorkspaceChange {
  readonly name?: string;
  readonly policy?: {
    readonly egress?: EgressPolicy | null;
    readonly idleMs?: number | null;
    readonly secondFactor?: boolean;
  };
}

const verdictSchema = z.object({
  allowed: z.boolean(),
  /** The rule that denies it. */
  rule: z.string().nullable(),
  by: z.enum(['server', 'workspace', 'session']).nullable(),
});
export type Verdict = z.infer<typeof verdictSchema>;

const anything = z.unknown();

export const workspaceApi = {
  /** Those of this person, oldest first. */
  list: () => callHome('GET', '/workspaces', z.array(workspaceSchema)),
  make: (name: string) => callHome('POST', '/workspaces', workspaceSchema, { name }),
  settings: () => call('GET', '/workspace', settingsSchema),
  /** `revision`: of the state that was shown; CONFLICT when another admin has changed it meanwhile. */
  change: (change: WorkspaceChange, revision: string) =>
    call('PATCH', '/workspace', settingsSchema, { ...change, revision }),
  end: () => call('DELETE', '/workspace', anything),
  /** How much there is of what ends with it, as far as its owners see it. */
  counts: async () => {
    const count = async (list: string) => (await call('GET', list, z.array(anything))).length;
    const [sessions, browsers] = await Promise.all([count('/sessions'), count('/browsers')]);
    const [keys, invitations, members] = await Promise.all([count('/keys'), count('/invitations'), count('/members')]);
    return { sessions, browsers, keys, invitations, members };
  },
  /** Whether pages of a new session may go there, under policies that need not be saved. */
  check: (url: string, policies: { readonly egress?: EgressPolicy; readonly session?: EgressPolicy } = {}) =>
    call('POST', '/workspace/guard/check', verdictSchema, { url, ...policies }),
} as const;
