import { z } from 'zod';
import { factorSchema } from '@/lib/people/factors';
import { roleSchema, sessionRoleSchema } from '@/lib/rights/roles';
import { words } from './words';

/** Refusals of one caller are counted: so many since their row before. */
const times = z.int();

/**
 * The messages of the rows of a workspace's log. Each is a predicate whose subject is the row's actor ("Ada" + "signed
 * in by a link"). In the refusal of an unknown caller the actor is the server.
 */
export const logMessages = [
  z.object({ code: z.literal('signedIn'), factor: factorSchema }),
  z.object({ code: z.enum(['signedOut', 'signInEnded', 'signedOutEverywhere']) }),
  z.object({ code: z.literal('signInFailed'), name: words, factor: factorSchema, times }),
  z.object({ code: z.enum(['linkRefused', 'keyRefused', 'linkGuessed']), times }),
  z.object({ code: z.enum(['linkMade', 'linkChanged']), session: words, /** Names of grants. */ grants: words }),
  z.object({ code: z.literal('linkEnded'), session: words }),
  z.object({ code: z.literal('refused'), what: words, times }),
  z.object({
    code: z.enum([
      'passwordSet',
      'secondFactorOn',
      'secondFactorOff',
      'recoveryCodesMade',
      'recoveryCodeUsed',
      'addressSet',
      'providerAdded',
      'providerRemoved',
      'memberLeft',
    ]),
  }),
  z.object({
    code: z.enum(['nameSet', 'passkeyAdded', 'passkeyRemoved', 'passwordLinkMade', 'secondFactorReset']),
    name: words,
  }),
  z.object({ code: z.literal('memberRole'), name: words, before: roleSchema, role: roleSchema }),
  z.object({ code: z.literal('memberRemoved'), name: words }),
  z.object({ code: z.literal('memberJoined'), role: roleSchema, factor: factorSchema }),
  z.object({
    code: z.enum(['invitationMade', 'invitationChanged', 'invitationRevoked']),
    role: roleSchema,
  }),
  z.object({ code: z.literal('invitationMadeFor'), role: roleSchema, email: words }),
  z.object({
    code: z.enum(['keyMade', 'keyChanged']),
    name: words,
    /** Names of grants. */
    grants: words,
    scope: z.enum(['own', 'workspace', 'named']),
  }),
  z.object({ code: z.enum(['keyRotated', 'keyRevoked']), name: words }),
  z.object({
    code: z.enum(['accessOpened', 'accessNamed', 'accessWatchOnly', 'accessNotWatchOnly']),
    session: words,
  }),
  z.object({ code: z.literal('sessionRoleGiven'), name: words, role: sessionRoleSchema, session: words }),
  z.object({ code: z.literal('sessionRoleTaken'), name: words, session: words }),
  z.object({ code: z.enum(['workspaceMade', 'workspaceChanged', 'workspaceEnded']), name: words }),
  /** `what`: the names of the changed policies. */
  z.object({ code: z.literal('policyChanged'), what: words }),
] as const;

/** A row's message as data. */
export type LogMessage = z.infer<(typeof logMessages)[number]>;

/** The English of each, see `english.ts`. */
export const ENGLISH_LOG_MESSAGES = {
  signedIn: 'signed in ({factor})',
  signedOut: 'signed out',
  signInEnded: 'ended one of their other sign-ins',
  signedOutEverywhere: 'ended all of their other sign-ins',
  signInFailed: 'refused to sign in {name} ({factor}, ×{times})',
  linkRefused: 'refused a sign-in link that is unknown, used or too old (×{times})',
  linkGuessed: 'refused a wrong secret or passcode of a share link (×{times})',
  linkMade: 'shared the session “{session}” by a link (grants: {grants})',
  linkChanged: 'changed a link of the session “{session}” (grants now: {grants})',
  linkEnded: 'ended a link of the session “{session}”',
  keyRefused: 'refused a key that is unknown or has ended (×{times})',
  refused: 'was refused {what} (×{times})',
  passwordSet: 'set a new password',
  secondFactorOn: 'switched the second factor on',
  secondFactorOff: 'switched the second factor off',
  recoveryCodesMade: 'made new recovery codes',
  recoveryCodeUsed: 'used a recovery code',
  addressSet: 'changed their e-mail address',
  providerAdded: 'added the sign-in by the provider to their account',
  providerRemoved: 'removed the sign-in by the provider from their account',
  memberLeft: 'left the workspace',
  nameSet: 'changed their name to “{name}”',
  passkeyAdded: 'added the passkey “{name}”',
  passkeyRemoved: 'removed the passkey “{name}”',
  passwordLinkMade: 'made a link by which {name} sets a new password',
  secondFactorReset: 'reset the second factor of {name}',
  memberRole: 'changed the role of {name} from {before} to {role}',
  memberRemoved: 'removed {name} from the workspace',
  memberJoined: 'joined with the role {role} ({factor})',
  invitationMade: 'made an invitation with the role {role}',
  invitationMadeFor: 'invited {email} with the role {role}',
  invitationChanged: 'changed an invitation, which has the role {role} now',
  invitationRevoked: 'ended an invitation with the role {role}',
  keyMade: 'made the key “{name}” (grants: {grants}; sessions: {scope})',
  keyChanged: 'changed the key “{name}” (grants now: {grants}; sessions: {scope})',
  keyRotated: 'gave the key “{name}” a new text',
  keyRevoked: 'revoked the key “{name}”',
  accessOpened: 'opened the session “{session}” to the workspace',
  accessNamed: 'restricted the session “{session}” to named people and keys',
  accessWatchOnly: 'made the session “{session}” watch-only for others',
  accessNotWatchOnly: 'let others drive in the session “{session}” again',
  sessionRoleGiven: 'gave {name} the role {role} in the session “{session}”',
  sessionRoleTaken: 'took the role of {name} in the session “{session}” away',
  workspaceMade: 'made the workspace “{name}”',
  workspaceChanged: 'changed the name of the workspace to “{name}”',
  workspaceEnded: 'ended the workspace “{name}”',
  policyChanged: 'changed the policies of the workspace: {what}',
} as const satisfies Readonly<Record<LogMessage['code'], string>>;
