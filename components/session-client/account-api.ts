import { z } from 'zod';
import { call } from '@/components/session-client/api';
import { factorSchema } from '@/lib/people/factors';
import { roleSchema } from '@/lib/rights/roles';

/** The HTTP API of the pages that sign people in, and of the account. */

/** @param serverNow ISO 8601, received just now; the difference of the server's clock to this browser's */
export function clockDifference(serverNow: string, now = Date.now()): number {
  return Date.parse(serverNow) - now;
}

const methodsSchema = z.object({
  password: z.boolean(),
  passkey: z.object({ available: z.boolean(), reason: z.string().optional() }),
  oidc: z.object({ name: z.string() }).optional().catch(undefined),
  /** Whether anybody here can sign in without a link of the server. */
  accounts: z.boolean().default(true),
  /** ISO 8601. */
  now: z.string(),
});
export type SignInMethods = z.infer<typeof methodsSchema>;

const outcomeSchema = z.union([
  z.object({ signedIn: z.literal(true) }),
  z.object({ secondFactor: z.array(z.string()), now: z.string() }),
]);

const offerSchema = z.object({
  role: roleSchema,
  /** The workspace's name. */
  workspace: z.string(),
  workspaceId: z.string(),
  /** Only this address can use the invitation. */
  email: z.string().nullable(),
  expiresAt: z.string(),
});
export type InvitationOffer = z.infer<typeof offerSchema>;

const accountSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    password: z.boolean(),
    secondFactor: z.object({ on: z.boolean(), recoveryCodes: z.number() }),
    passkeys: z.number(),
    /** Connected with the server's provider. */
    oidc: z.boolean(),
    /** What a change of these asks for: the present password, or a sign-in of the last 15 minutes. */
    proof: z.enum(['password', 'sign-in']),
    now: z.string(),
  })
  .transform(({ now, ...account }) => ({ ...account, clockAhead: clockDifference(now) }));
export type AccountView = z.infer<typeof accountSchema>;

const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });
const newFactorSchema = recoveryCodes.extend({ uri: z.string(), secret: z.string() });
export type NewFactor = z.infer<typeof newFactorSchema>;

const passkeySchema = z.object({ id: z.string(), name: z.string().nullable(), createdAt: z.string().nullable() });
export type PasskeyView = z.infer<typeof passkeySchema>;

const signInSchema = z.object({
  id: z.string(),
  factor: factorSchema.catch('link'),
  address: z.string().nullable(),
  agent: z.string().nullable(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
  /** The sign-in of this page. */
  here: z.boolean(),
});
export type SignInView = z.infer<typeof signInSchema>;

const signedIn = z.object({ signedIn: z.literal(true) });
/** `workspace`: the id of the one that the person has joined. */
const joinedSchema = signedIn.extend({ workspace: z.string() });
const anything = z.unknown();
const elsewhere = z.object({ url: z.string() });

export const accountApi = {
  methods: () => call('GET', '/sign-in', methodsSchema),
  password: (email: string, password: string) =>
    call('POST', '/sign-in/password', outcomeSchema, { email: email.trim(), password }),
  code: (code: string) => call('POST', '/sign-in/code', signedIn, { code }),
  recovery: (code: string) => call('POST', '/sign-in/recovery', signedIn, { code }),
  /** The options of WebAuthn, as JSON. */
  passkeyOptions: () => call('POST', '/sign-in/passkey/options', anything, {}),
  passkey: (response: unknown) => call('POST', '/sign-in/passkey', signedIn, { response }),
  /** Where the provider asks who they are; it leads back to `to`. `connect` asks for the proof of a change. */
  oidc: (body: { to?: string; invitation?: string; connect?: true; currentPassword?: string }) =>
    call('POST', '/sign-in/oidc', elsewhere, body),
  forgotten: (email: string) => call('POST', '/sign-in/forgotten', z.object({ mail: z.boolean() }), { email }),
  newPassword: (token: string, password: string) =>
    call('POST', '/sign-in/new-password', anything, { token, password }),

  openInvitation: (token: string) => call('POST', '/invitations/open', offerSchema, { token }),
  /** Without a name, the person who is signed in joins. */
  acceptInvitation: (body: { token: string; name?: string; email?: string; password?: string }) =>
    call('POST', '/invitations/accept', joinedSchema, body),

  account: () => call('GET', '/account', accountSchema),
  change: (body: { name?: string; email?: string; currentPassword?: string }) =>
    call('PATCH', '/account', accountSchema, body),
  setPassword: (body: { password: string; currentPassword?: string }) =>
    call('PUT', '/account/password', anything, body),
  beginFactor: (proof: Proof) => call('POST', '/account/second-factor', newFactorSchema, proof),
  confirmFactor: (code: string) => call('POST', '/account/second-factor/confirm', anything, { code }),
  endFactor: (proof: Proof) => call('DELETE', '/account/second-factor', anything, proof),
  renewRecoveryCodes: (proof: Proof) => call('POST', '/account/recovery-codes', recoveryCodes, proof),

  passkeys: () => call('GET', '/account/passkeys', z.array(passkeySchema)),
  newPasskeyOptions: (proof: Proof) => call('POST', '/account/passkeys/options', anything, proof),
  addPasskey: (body: { name: string; response: unknown }) => call('POST', '/account/passkeys', anything, body),
  removePasskey: (id: string, proof: Proof) =>
    call('DELETE', `/account/passkeys/${encodeURIComponent(id)}`, anything, proof),

  removeProvider: (proof: Proof) => call('DELETE', '/account/provider', anything, proof),

  signIns: () => call('GET', '/account/sign-ins', z.array(signInSchema)),
  endSignIn: (id: string) => call('DELETE', `/account/sign-ins/${encodeURIComponent(id)}`, anything),
  endOtherSignIns: () => call('DELETE', '/account/sign-ins', z.object({ ended: z.number() })),
} as const;

/** The present password, for changes that ask for it. */
export interface Proof {
  readonly currentPassword?: string;
}
