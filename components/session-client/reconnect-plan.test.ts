import { describe, expect, it } from 'vitest';
import type { ConnectionState } from './connection-state';
import { planReconnect, RECONNECT } from './reconnect-plan';

const givesUp = (state: ConnectionState) => ({ do: 'give-up', state });

describe('planReconnect', () => {
  it('[F13] doubles the wait from half a second to ten, never more', () => {
    const waits = [0, 1, 2, 3, 4, 5, 30].map((attempt) => planReconnect({ why: 'line' }, attempt, 0.5));
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000].map((ms) => ({ do: 'wait', ms })));
  });

  it('[F13] spreads clients over the interval by chance', () => {
    expect(planReconnect({ why: 'line' }, 0, 0)).toEqual({ do: 'wait', ms: RECONNECT.firstMs / 2 });
    expect(planReconnect({ why: 'line' }, 0, 0.999)).toEqual({ do: 'wait', ms: 750 });
    expect(planReconnect({ why: 'line' }, 9, 0.999)).toEqual({ do: 'wait', ms: RECONNECT.mostMs });
  });

  it('[F12] waits at least as long as the server asked for', () => {
    expect(planReconnect({ why: 'goodbye', retryInMs: 2_000 }, 0, 0.5)).toEqual({ do: 'wait', ms: 2_500 });
  });

  it('gives up only where trying again cannot help', () => {
    expect(planReconnect({ why: 'signed-out' }, 0, 0.5)).toEqual(givesUp({ state: 'signed-out' }));
    expect(planReconnect({ why: 'no-workspace' }, 0, 0.5)).toEqual(givesUp({ state: 'no-workspace' }));
    expect(planReconnect({ why: 'protocol' }, 3, 0.5)).toEqual(givesUp({ state: 'outdated' }));
    expect(planReconnect({ why: 'link-over', refusal: 'revoked' }, 0, 0.5)).toEqual(
      givesUp({ state: 'link-over', why: 'revoked' }),
    );
  });

  it('[T9] asks again at once when the server ended this connection alone, and only once so soon', () => {
    const waits = [0, 1, 2].map((attempt) => planReconnect({ why: 'cut' }, attempt, 0.5));
    expect(waits).toEqual([100, 1_000, 2_000].map((ms) => ({ do: 'wait', ms })));
  });
});
