import fc from 'fast-check';

/** Everything that somebody may do to the wheel of a session, or with it, as data. */

/** Who plays: the owner in two windows and by HTTP, a second person, an agent by HTTP, and one by socket whose key may be revoked. */
export const PLAYERS = ['window 1', 'window 2', 'owner', 'peer', 'bot', 'bee'] as const;
export type PlayerName = (typeof PLAYERS)[number];
/** Those with a connection that can be cut. */
export const CONNECTED = ['window 1', 'window 2', 'bee'] as const;
export type ConnectedName = (typeof CONNECTED)[number];
/** Those who drive by raw input. */
export const WINDOWS = ['window 1', 'window 2'] as const;

export const WISHES = ['take', 'request', 'grant', 'deny', 'hand-back', 'release'] as const;

export type Deed =
  | { readonly do: 'wish'; readonly by: PlayerName; readonly wish: (typeof WISHES)[number]; readonly scope: 'session' | 'tab' }
  | { readonly do: 'hand over'; readonly by: PlayerName; readonly to: PlayerName }
  | { readonly do: 'click'; readonly by: PlayerName; readonly epoch: 'none' | 'now' | 'stale' }
  | { readonly do: 'type'; readonly by: PlayerName; readonly slowly: boolean }
  | { readonly do: 'batch'; readonly by: PlayerName }
  | { readonly do: 'again'; readonly by: PlayerName }
  | { readonly do: 'raw'; readonly by: (typeof WINDOWS)[number]; readonly hold: boolean }
  | { readonly do: 'drop' | 'reconnect'; readonly by: ConnectedName }
  | { readonly do: 'revoke' }
  | { readonly do: 'crash' }
  | { readonly do: 'pass'; readonly ms: number };

const by = fc.constantFrom(...PLAYERS);

/** Weighted so that the wheel changes hands often while something is under way. */
export const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constant('wish' as const), by, wish: fc.constantFrom(...WISHES, 'take' as const, 'take' as const), scope: fc.constantFrom('session' as const, 'tab' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('hand over' as const), by, to: by }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('click' as const), by, epoch: fc.constantFrom('none' as const, 'now' as const, 'stale' as const) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('type' as const), by, slowly: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('batch' as const), by }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('again' as const), by }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('raw' as const), by: fc.constantFrom(...WINDOWS), hold: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('drop' as const, 'reconnect' as const, 'reconnect' as const), by: fc.constantFrom(...CONNECTED) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'revoke' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'crash' as const }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.nat(60) }) },
);
