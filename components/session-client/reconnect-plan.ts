/** Why the connection ended, as far as the page knows. */
export type DisconnectReason =
  /** The network failed, or the server ended without a `goodbye`. */
  | { readonly why: 'line' }
  /** The server sent `goodbye` first. */
  | { readonly why: 'goodbye'; readonly retryInMs: number | undefined }
  /** The handshake was refused, and an HTTP request says that the page is not signed in. */
  | { readonly why: 'signed-out' }
  /** The page is for a workspace that does not exist for this person. */
  | { readonly why: 'no-workspace' }
  /** Page and server speak different protocol versions. */
  | { readonly why: 'protocol' };

export type ReconnectPlan =
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'give-up'; readonly reason: 'signed-out' | 'no-workspace' | 'protocol' };

/**
 * First and longest wait in milliseconds. `jitter` spreads the clients, so that they do not all return at once (F13).
 */
export const RECONNECT = { firstMs: 500, mostMs: 10_000, jitter: 0.5 } as const;

/**
 * Decides what to do after the connection was lost.
 * @param attempt attempts since the connection was last good, from 0
 * @param random a number in [0, 1), given so that a test can fix it
 */
export function planReconnect(loss: DisconnectReason, attempt: number, random: number): ReconnectPlan {
  if (loss.why === 'signed-out' || loss.why === 'no-workspace' || loss.why === 'protocol')
    return { do: 'give-up', reason: loss.why };
  const asked = loss.why === 'goodbye' ? (loss.retryInMs ?? 0) : 0;
  const doubled = Math.min(RECONNECT.firstMs * 2 ** Math.min(attempt, 20), RECONNECT.mostMs);
  const spread = doubled * (1 - RECONNECT.jitter + random * 2 * RECONNECT.jitter);
  return { do: 'wait', ms: Math.round(asked + Math.min(spread, RECONNECT.mostMs)) };
}
