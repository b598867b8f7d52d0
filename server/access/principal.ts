import type { Rights } from './grants';

/** Which proof of identity a principal came with: ends with it, and decides which request checks apply (R1). */
export type Credential =
  | { readonly kind: 'cookie'; readonly id: string }
  | { readonly kind: 'key'; readonly id: string };

/** The credential as one word: a key of maps and counters, and what is stored of who made a session (BR7). */
export function credentialName({ kind, id }: Credential): string {
  return `${kind}:${id}`;
}

/** Reads what `credentialName` wrote; undefined for anything else. */
export function credentialNamed(name: string): Credential | undefined {
  const [kind, id] = splitOnce(name, ':');
  return (kind === 'cookie' || kind === 'key') && id !== undefined && id !== '' ? { kind, id } : undefined;
}

/**
 * Who somebody is, whatever they may do. The agents of one key differ by the name that each gives itself (`X-Agent`,
 * CO10).
 */
export type Identity =
  | { readonly kind: 'person'; readonly id: string }
  | { readonly kind: 'agent'; readonly key: string; readonly name: string | undefined };

/**
 * Writes the participant id, which the wire and the store know somebody by: the same person in two windows is one
 * participant, each named agent of a key is one of its own.
 */
export function participantId(identity: Identity): string {
  if (identity.kind === 'person') return identity.id;
  return identity.name === undefined ? identity.key : `${identity.key}/${identity.name}`;
}

/** Reads what `participantId` wrote of an agent. Neither key ids nor agent names have a slash. */
function agentOf(participant: string): Extract<Identity, { kind: 'agent' }> {
  const [key, name] = splitOnce(participant, '/');
  return { kind: 'agent', key, name };
}

/**
 * Whether the participant is an agent of this key, whatever name it gives itself. People are not known by their
 * sign-in: their ids are those of no key.
 */
export function isAgentOf({ kind, id }: Credential, participant: string): boolean {
  return kind === 'key' && agentOf(participant).key === id;
}

function splitOnce(text: string, mark: string): [before: string, after: string | undefined] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

interface PrincipalBase {
  /** As `participantId` writes it. */
  readonly id: string;
  readonly name: string;
  readonly workspace: string;
  readonly rights: Rights;
  /** The revision of the credential when this was made; an older one is refused (R3). */
  readonly rev: number;
  /** Wall clock milliseconds when the credential ends by itself; undefined: never. */
  readonly expiresAt: number | undefined;
}

export interface HumanPrincipal extends PrincipalBase {
  readonly kind: 'human';
  readonly person: string;
  readonly credential: Extract<Credential, { kind: 'cookie' }>;
}

export interface AgentPrincipal extends PrincipalBase {
  readonly kind: 'agent';
  /** The person whose key this is. */
  readonly person: string;
  readonly credential: Extract<Credential, { kind: 'key' }>;
}

/** Who is asking, made once at each door and passed along. A caller by cookie is a person, a caller by key an agent. */
export type Principal = HumanPrincipal | AgentPrincipal;
