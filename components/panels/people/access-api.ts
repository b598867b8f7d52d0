import { z } from 'zod';
import { call } from '@/components/session-client/api';
import { sessionRoleSchema, type SessionRole } from '@/lib/rights/roles';

const kind = z.enum(['person', 'key']);
const named = z.object({ id: z.string(), name: z.string() });

const accessSchema = z.object({
  open: z.enum(['workspace', 'named']),
  watchOnly: z.boolean(),
  owner: named.nullable(),
  roles: z.array(z.object({ who: z.string(), name: z.string(), kind, role: sessionRoleSchema })),
  mayChange: z.boolean(),
  /** Who can be given a role; only for those who may change it. */
  candidates: z.array(named.extend({ kind })).optional(),
});
export type AccessView = z.infer<typeof accessSchema>;

export interface AccessChange {
  readonly open?: 'workspace' | 'named';
  readonly watchOnly?: boolean;
  /** By the id of a person or key; null takes the role away. */
  readonly roles?: Readonly<Record<string, SessionRole | null>>;
}

const path = (session: string) => `/sessions/${encodeURIComponent(session)}/access`;

export const accessApi = {
  view: (session: string) => call('GET', path(session), accessSchema),
  change: (session: string, change: AccessChange) => call('PATCH', path(session), accessSchema, change),
} as const;
