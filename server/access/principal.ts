import { WheelhouseError } from '@/lib/errors/error';
import type { Rights } from '@/lib/rights/grants';

/**
 * The proof of identity of a principal. Its end ends the principal; its kind decides which request checks apply (R1).
 */
export type Credential =
  | { readonly kind: 'cookie'; readonly id: string }
  | { readonly kind: 'key'; readonly id: string };

/** The credential as one word: the key of maps and counters, and the stored maker of a session (BR7). */
export function credentialName({ kind, id }: Credential): string {
  return `${kind}:${id}`;
}

/** Parses what `credentialName` wrote; undefined for other text. */
export function credentialNamed(name: string): Credential | undefined {
  const [kind, id] = splitOnce(name, ':');
  return (kind === 'cookie' || kind === 'key') && id !== undefined && id !== '' ? { kind, id } : undefined;
}

/** An identity without rights. Agents of one key differ by the name in `X-Agent` (CO10). */
export type Identity =
  | { readonly kind: 'person'; readonly id: string }
  | { readonly kind: 'agent'; readonly key: string; readonly name: string | undefined };

/**
 * The participant id on the wire and in the store. One person in two windows is one participant; each named agent of a
 * key is its own.
 */
export function participantId(identity: Identity): string {
  if (identity.kind === 'person') return identity.id;
  return identity.name === undefined ? identity.key : `${identity.key}/${identity.name}`;
}

/** Parses an agent's participant id. Neither key ids nor agent names contain a slash. */
function agentOf(participant: string): Extract<Identity, { kind: 'agent' }> {
  const [key, name] = splitOnce(participant, '/');
  return { kind: 'agent', key, name };
}

/** Whether the participant is an agent of this key, under any name. People never match: their ids contain no key id. */
export function isAgentOf({ kind, id }: Credential, participant: string): boolean {
  return kind === 'key' && agentOf(participant).key === id;
}

function splitOnce(text: string, mark: string): [before: string, after: string | undefined] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

interface PrincipalBase {
  /** As written by `participantId`. */
  readonly id: string;
  readonly name: string;
  readonly workspace: string;
  readonly rights: Rights;
  /** The stamp of `LiveCredentials` before the credential was looked up; `isLive` refuses one that ended since (R3). */
  readonly rev: number;
  /** The credential's expiry in wall clock milliseconds; undefined: never. */
  readonly expiresAt: number | undefined;
  /** The address that the request came from, for the log of the workspace. */
  readonly address?: string | undefined;
}

export interface HumanPrincipal extends PrincipalBase {
  readonly kind: 'human';
  readonly person: string;
  readonly credential: Extract<Credential, { kind: 'cookie' }>;
}

export interface AgentPrincipal extends PrincipalBase {
  readonly kind: 'agent';
  /** The person who owns the key. */
  readonly person: string;
  readonly credential: Extract<Credential, { kind: 'key' }>;
  /** That of the key when it was looked up; undefined: of the preset key. */
  readonly keyRev?: number | undefined;
}

/** The caller of a request, made once at each door and passed along: a person by cookie or an agent by key. */
export type Principal = HumanPrincipal | AgentPrincipal;

/** Who asks for a change of keys or rights: a principal, or without a credential the server itself. */
export type Asker = Pick<Principal, 'kind' | 'rights' | 'person' | 'workspace' | 'expiresAt'> &
  Partial<Pick<Principal, 'id' | 'name' | 'address'>> &
  Partial<Pick<AgentPrincipal, 'keyRev'>> & { readonly credential?: Credential | undefined };

/** The caller of what only people may do. Throws FORBIDDEN for an agent. */
export function humanOf(principal: Principal): HumanPrincipal {
  if (principal.kind === 'human') return principal;
  throw new WheelhouseError('FORBIDDEN', 'Only people may do this, not keys.');
}
