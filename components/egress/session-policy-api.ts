import { z } from 'zod';
import { call } from '@/components/session-client/api';
import { egressPolicySchema, type EgressPolicy } from '@/lib/egress/policy';

const policySchema = z.object({
  /** Its own; null: all that the workspace allows. */
  egress: egressPolicySchema.nullable(),
  workspace: egressPolicySchema.nullable(),
  mayChange: z.boolean(),
});

const path = (session: string) => `/sessions/${encodeURIComponent(session)}/policy`;

/** Where the pages of a session may go. */
export const sessionPolicyApi = {
  view: (session: string) => call('GET', path(session), policySchema),
  /** `seen`: the policy that was shown; CONFLICT when another moderator has changed it meanwhile. */
  change: (session: string, egress: EgressPolicy, seen: EgressPolicy | null) =>
    call('PATCH', path(session), policySchema, { egress, seen }),
} as const;
