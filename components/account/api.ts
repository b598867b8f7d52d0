import { z } from 'zod';
import { call } from '@/components/session-client/api';
import { roleSchema } from '@/lib/rights/roles';

/** The HTTP API of the pages that sign people in, and of the account. */

const waysSchema = z.object({
  password: z.boolean(),
  passkey: z.object({ available: z.boolean(), reason: z.string().optional() }),
  oidc: z.object({ name: z.string() }).optional().catch(undefined),
  /** Whether anybody here can sign in without a link of the server. */
  accounts: z.boolean().default(true),
  /** ISO 8601. */
  now: z.string(),
});
export type SignInWays = z.infer<typeof waysSchema>;

const outcomeSchema = z.union([
  z.object({ signedIn: z.literal(true) }),
  z.object({ secondFactor: z.array(z.string()), now: z.string() }),
]);

const offerSchema = z.object({
  role: roleSchema,
  /** The workspace's name. */
  workspace: z.string(),
  /** Only this address can use the invitation. */
  email: z.string().nullable(),
  expiresAt: z.string(),
});
export type InvitationOffer = z.infer<typeof offerSchema>;

const signedIn = z.object({ signedIn: z.literal(true) });
const anything = z.unknown();
const elsewhere = z.object({ url: z.string() });

export const accountApi = {
  ways: () => call('GET', '/sign-in', waysSchema),
  password: (email: string, password: string) =>
    call('POST', '/sign-in/password', outcomeSchema, { email: email.trim(), password }),
  code: (code: string) => call('POST', '/sign-in/code', signedIn, { code }),
  recovery: (code: string) => call('POST', '/sign-in/recovery', signedIn, { code }),
  /** The options of WebAuthn, as JSON. */
  passkeyOptions: () => call('POST', '/sign-in/passkey/options', anything, {}),
  passkey: (response: unknown) => call('POST', '/sign-in/passkey', signedIn, { response }),
  /** Where the provider asks who they are; it leads back to `to`. */
  oidc: (body: { to?: string; invitation?: string; connect?: true }) => call('POST', '/sign-in/oidc', elsewhere, body),
  forgotten: (email: string) => call('POST', '/sign-in/forgotten', z.object({ mail: z.boolean() }), { email }),
  newPassword: (token: string, password: string) =>
    call('POST', '/sign-in/new-password', anything, { token, password }),

  openInvitation: (token: string) => call('POST', '/invitations/open', offerSchema, { token }),
  /** Without a name, whoever is signed in joins. */
  acceptInvitation: (body: { token: string; name?: string; email?: string; password?: string }) =>
    call('POST', '/invitations/accept', signedIn, body),
} as const;
