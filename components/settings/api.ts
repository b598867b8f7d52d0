import { z } from 'zod';
import { call, failureOf, send } from '@/components/session-client/api';
import { logRowSchema } from '@/lib/people/log-row';
import { grantSchema, type Grant } from '@/lib/rights/grants';
import { serverViewSchema } from '@/lib/protocol/server-view';
import { roleSchema, type Role } from '@/lib/rights/roles';

/** The HTTP API of the settings pages. */

const keySchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The last four characters of its text. */
  hint: z.string(),
  person: z.string(),
  // A newer server may know more grants.
  grants: z.array(z.string()).transform((all) => all.flatMap((one) => grantSchema.safeParse(one).data ?? [])),
  sessions: z.union([z.enum(['own', 'workspace']), z.array(z.string())]),
  createdAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  lastUsedFrom: z.string().nullable(),
  /** It comes from WHEELHOUSE_API_KEY and can be changed only there. */
  preset: z.boolean(),
});
export type KeyView = z.infer<typeof keySchema>;
export type KeySessions = KeyView['sessions'];

const newKeySchema = keySchema.extend({ key: z.string() });

/** Without grants and sessions, the server gives a new key those of an agent, and its own sessions. */
export interface KeyRequest {
  readonly name: string;
  readonly grants?: readonly Grant[];
  readonly sessions?: KeySessions;
  /** Seconds; null: until it is revoked. */
  readonly expiresIn?: number | null;
}

const invitationSchema = z.object({
  id: z.string(),
  role: roleSchema,
  email: z.string().nullable(),
  by: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  /** What became of the mail; `none`: no address, or this server sends none. */
  mail: z.enum(['none', 'sending', 'sent', 'failed']).catch('none').default('none'),
});
export type InvitationView = z.infer<typeof invitationSchema>;

const newInvitationSchema = invitationSchema.extend({ url: z.string() });
export type NewInvitation = z.infer<typeof newInvitationSchema>;

const memberSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  role: roleSchema,
  since: z.string(),
  serverOwner: z.boolean(),
  /** What the reader may do for them. */
  may: z.array(z.string()).default([]),
});
export type MemberView = z.infer<typeof memberSchema>;

const passwordLinkSchema = z.object({
  url: z.string(),
  expiresAt: z.string(),
  mail: z.enum(['none', 'sending']).catch('none'),
});

const anything = z.unknown();
const byId = (list: string, id: string, rest = '') => `/${list}/${encodeURIComponent(id)}${rest}`;

export const settingsApi = {
  keys: () => call('GET', '/keys', z.array(keySchema)),
  makeKey: ({ expiresIn, ...request }: KeyRequest) =>
    call('POST', '/keys', newKeySchema, typeof expiresIn === 'number' ? { ...request, expiresIn } : request),
  changeKey: (id: string, request: KeyRequest) => call('PATCH', byId('keys', id), keySchema, request),
  rotateKey: (id: string) => call('POST', byId('keys', id, '/rotate'), newKeySchema),
  revokeKey: (id: string) => call('DELETE', byId('keys', id), anything),

  members: () => call('GET', '/members', z.array(memberSchema)),
  /** `from`: the role that was shown; CONFLICT when another admin has changed it meanwhile. */
  setRole: (id: string, role: Role, from: Role) => call('PATCH', byId('members', id), memberSchema, { role, from }),
  removeMember: (id: string) => call('DELETE', byId('members', id), anything),
  resetSecondFactor: (id: string) => call('DELETE', byId('members', id, '/second-factor'), anything),
  passwordLink: (id: string) => call('POST', byId('members', id, '/password-link'), passwordLinkSchema),

  invitations: () => call('GET', '/invitations', z.array(invitationSchema)),
  /** @param expiresIn seconds */
  invite: (body: { role: Role; email?: string; expiresIn: number }) =>
    call('POST', '/invitations', newInvitationSchema, body),
  changeInvitation: (id: string, role: Role) => call('PATCH', byId('invitations', id), invitationSchema, { role }),
  endInvitation: (id: string) => call('DELETE', byId('invitations', id), anything),

  /** Newest first. */
  log: async ({ search, limit, before }: { search: string; limit: number; before?: number | undefined }) => {
    const query = logQuery({ q: search.trim(), limit: `${limit}`, before: before === undefined ? '' : `${before}` });
    return (await call('GET', `/log?${query}`, z.array(logRowSchema))).toReversed();
  },
  /** All rows that fit the search. */
  exportLog: async (format: 'csv' | 'jsonl', search: string) => {
    const answer = await send('GET', `/api/v1/log?${logQuery({ format, q: search.trim() })}`, undefined);
    return blobOf(answer);
  },

  server: () => call('GET', '/server', serverViewSchema),
  /** The file for a bug report. */
  bundle: async () => blobOf(await send('GET', '/api/v1/server/bundle', undefined)),
} as const;

async function blobOf(answer: Response): Promise<Blob> {
  if (!answer.ok) throw failureOf(answer.status, await answer.json().catch(() => ({})));
  return answer.blob();
}

/** The parameters that have a value. */
function logQuery(parameters: Readonly<Record<string, string>>): string {
  return new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== '')).toString();
}
