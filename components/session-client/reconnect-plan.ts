/** Why the page has no connection, as far as it can know. */
export type DisconnectReason =
  /** The line went away, or the server did without a word. */
  | { readonly why: 'line' }
  /** The server said goodbye first. */
  | { readonly why: 'goodbye'; readonly retryInMs: number | undefined }
  /** The handshake was refused and an HTTP probe says that nobody is signed in. */
  | { readonly why: 'signed-out' }
  /** Page and server speak different versions. */
  | { readonly why: 'protocol' };

export type ReconnectPlan =
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'give-up'; readonly reason: 'signed-out' | 'protocol' };

/** Milliseconds. F13: everybody comes back spread out, not at once. */
export const RECONNECT = { firstMs: 500, mostMs: 10_000, jitter: 0.5 } as const;

/**
 * What to do after the connection was lost.
 * @param attempt tries since the connection was last live, from 0
 * @param random a number in [0, 1), so that a test can fix it
 */
export function planReconnect(loss: DisconnectReason, attempt: number, random: number): ReconnectPlan {
  if (loss.why === 'signed-out' || loss.why === 'protocol') return { do: 'give-up', reason: loss.why };
  const asked = loss.why === 'goodbye' ? (loss.retryInMs ?? 0) : 0;
  const doubled = Math.min(RECONNECT.firstMs * 2 ** Math.min(attempt, 20), RECONNECT.mostMs);
  const spread = doubled * (1 - RECONNECT.jitter + random * 2 * RECONNECT.jitter);
  return { do: 'wait', ms: Math.round(asked + Math.min(spread, RECONNECT.mostMs)) };
}
