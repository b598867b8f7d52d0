import type { LinkRefusal } from '@/lib/links/link-terms';
import type { ConnectionState } from './connection-state';

/** Why the connection ended, as far as the page knows. */
export type DisconnectReason =
  /** The network failed, or the server ended without a `goodbye`. */
  | { readonly why: 'line' }
  /** The server ended this connection alone, and says why when it is asked again. */
  | { readonly why: 'cut' }
  /** The server sent `goodbye` first. */
  | { readonly why: 'goodbye'; readonly retryInMs: number | undefined }
  /** The handshake was refused, and an HTTP request says that the page is not signed in. */
  | { readonly why: 'signed-out' }
  /** The page is for a workspace that does not exist for this person. */
  | { readonly why: 'no-workspace' }
  /** The share link of the page lets nobody in, or not now. */
  | { readonly why: 'link-over'; readonly refusal: LinkRefusal }
  /** Page and server speak different protocol versions. */
  | { readonly why: 'protocol' };

export type ReconnectPlan =
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'give-up'; readonly state: ConnectionState };

/**
 * First and longest wait in milliseconds; `cutMs`: the first one after the server ended this connection alone. `jitter`
 * spreads the clients, so that they do not all return at once (F13).
 */
export const RECONNECT = { firstMs: 500, cutMs: 100, mostMs: 10_000, jitter: 0.5 } as const;

/**
 * Decides what to do after the connection was lost.
 * @param attempt attempts since the connection was last good, from 0
 * @param random a number in [0, 1), given so that a test can fix it
 */
export function planReconnect(loss: DisconnectReason, attempt: number, random: number): ReconnectPlan {
  if (loss.why === 'signed-out' || loss.why === 'no-workspace') return { do: 'give-up', state: { state: loss.why } };
  if (loss.why === 'protocol') return { do: 'give-up', state: { state: 'outdated' } };
  if (loss.why === 'link-over') return { do: 'give-up', state: { state: 'link-over', why: loss.refusal } };
  const asked = loss.why === 'goodbye' ? (loss.retryInMs ?? 0) : 0;
  const first = loss.why === 'cut' && attempt === 0 ? RECONNECT.cutMs : RECONNECT.firstMs;
  const doubled = Math.min(first * 2 ** Math.min(attempt, 20), RECONNECT.mostMs);
  const spread = doubled * (1 - RECONNECT.jitter + random * 2 * RECONNECT.jitter);
  return { do: 'wait', ms: Math.round(asked + Math.min(spread, RECONNECT.mostMs)) };
}
