import { WheelhouseError } from '@/lib/errors/error';
import type { GuestSight } from '@/lib/links/guest-view';
import type { Rights } from '@/lib/rights/grants';

/**
 * The proof of identity of a principal. Its end ends the principal; its kind decides which request checks apply (R1).
 */
export type Credential =
  | { readonly kind: 'cookie'; readonly id: string }
  | { readonly kind: 'key'; readonly id: string }
  /** The id is that of the guest, not of the link, which several may have open. */
  | { readonly kind: 'link'; readonly id: string };

/** The credential as one word: the key of maps and counters, and the stored maker of a session (BR7). */
export function credentialName({ kind, id }: Credential): string {
  return `${kind}:${id}`;
}

/** Parses what `credentialName` wrote of a sign-in or key; undefined for other text. */
export function credentialNamed(name: string): Credential | undefined {
  const [kind, id] = splitOnce(name, ':');
  return (kind === 'cookie' || kind === 'key') && id !== undefined && id !== '' ? { kind, id } : undefined;
}

/** An identity without rights. Agents of one key differ by the name in `X-Agent` (CO10). */
export type Identity =
  | { readonly kind: 'person' | 'guest'; readonly id: string }
  | { readonly kind: 'agent'; readonly key: string; readonly name: string | undefined };

/**
 * The participant id on the wire and in the store. One person in two windows is one participant; each named agent of a
 * key is its own.
 */
export function participantId(identity: Identity): string {
  if (identity.kind !== 'agent') return identity.id;
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

/** Whether the participant is the guest of a share link with this credential. */
export function isGuestOf({ kind, id }: Credential, participant: string): boolean {
  return kind === 'link' && id === participant;
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

/** Somebody who opened a share link: a person without an account, who sees one session and no workspace (AU4). */
export interface GuestPrincipal extends PrincipalBase {
  readonly kind: 'guest';
  /** The present end of the link, which may change while the guest is connected: read it anew, do not copy it. */
  readonly expiresAt: number;
  readonly credential: Extract<Credential, { kind: 'link' }>;
  readonly link: {
    readonly id: string;
    readonly session: string;
    /** The only tab that they see; undefined: all. */
    readonly tab: string | undefined;
    /** When the link was made: they see nothing of before. ISO 8601. */
    readonly since: string;
    /** The name of the person who shares it, or whose key does. */
    readonly by: string;
  };
}

/** A caller who belongs to the workspace: a person by cookie or an agent by key. */
export type MemberPrincipal = HumanPrincipal | AgentPrincipal;

/** The caller of a request, made once at each door and passed along. */
export type Principal = MemberPrincipal | GuestPrincipal;

/** The caller of what is not open to guests. Throws FORBIDDEN for one. */
export function memberOf(principal: Principal): MemberPrincipal {
  if (principal.kind !== 'guest') return principal;
  throw new WheelhouseError('FORBIDDEN', CLOSED_TO_GUESTS);
}

export const CLOSED_TO_GUESTS = 'A link does not open this.';

/** What decides which part of its session a caller sees; undefined for members, who see all of it (AU4). */
export function sightOf(principal: Principal): GuestSight | undefined {
  if (principal.kind !== 'guest') return undefined;
  const { id, link } = principal;
  return { id, tab: link.tab, since: link.since };
}

/** How others see a principal: a guest is a person. */
export function actorKind({ kind }: Pick<Principal, 'kind'>): 'human' | 'agent' {
  return kind === 'agent' ? 'agent' : 'human';
}

/** Who asks for a change of keys or rights: a principal, or without a credential the server itself. */
export type Asker = Pick<MemberPrincipal, 'kind' | 'rights' | 'person' | 'workspace' | 'expiresAt'> &
  Partial<Pick<MemberPrincipal, 'id' | 'name' | 'address'>> &
  Partial<Pick<AgentPrincipal, 'keyRev'>> & { readonly credential?: Credential | undefined };

/** The caller of what only people may do. Throws FORBIDDEN for an agent. */
export function humanOf(principal: Principal): HumanPrincipal {
  if (principal.kind === 'human') return principal;
  throw new WheelhouseError(
    'FORBIDDEN',
    principal.kind === 'guest' ? CLOSED_TO_GUESTS : 'Only people may do this, not keys.',
  );
}
