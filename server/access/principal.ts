import type { Grant } from './grants';

/** Which proof of identity a principal came with: ends with it, and decides which request checks apply (R1). */
export type Credential =
  | { readonly kind: 'cookie'; readonly id: string }
  | { readonly kind: 'key'; readonly id: string };

/** What is counted for one key or sign-in is counted by this, whatever names its agents give themselves (BR7). */
export function credentialName({ kind, id }: Credential): string {
  return `${kind}:${id}`;
}

interface PrincipalBase {
  /**
   * Participant id: the same person in two windows is one participant; an agent is its key, with its `X-Agent` name
   * when it gives one (CO10).
   */
  readonly id: string;
  readonly name: string;
  readonly workspace: string;
  readonly grants: ReadonlySet<Grant>;
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

/**
 * Whether the participant of this id comes by this key, whatever name it gives itself. People are not known by their
 * sign-in.
 */
export function isAgentOf({ kind, id }: Credential, participant: string): boolean {
  return kind === 'key' && (participant === id || participant.startsWith(`${id}/`));
}

/** Who is asking, made once at each door and passed along. A caller by cookie is a person, a caller by key an agent. */
export type Principal = HumanPrincipal | AgentPrincipal;
