import fc from 'fast-check';

/** Everything that a participant may do to the lease of a session, or with it, as data. */

/**
 * The participants: three people, of whom the owner is there in two windows and by HTTP, one is a member and one the
 * guest of a share link, and two agents, one by HTTP and one by socket.
 */
export const PLAYERS = ['window 1', 'window 2', 'owner', 'peer', 'guest', 'bot', 'bee'] as const;
export type PlayerName = (typeof PLAYERS)[number];
/** People other than the owner, whose rights may end. */
export const PEOPLE = ['peer', 'guest'] as const;
export type PersonName = (typeof PEOPLE)[number];
/** Participants with a connection that can be cut. They also send raw input. */
export const CONNECTED = ['window 1', 'window 2', 'bee', ...PEOPLE] as const;
export type ConnectedName = (typeof CONNECTED)[number];

/**
 * What ends for a person: the rights to more than watching, which come back a little later; their place in the
 * workspace, or their link; all their sign-ins, or visits.
 */
export const ENDS = ['role', 'membership', 'sign-ins'] as const;
export type End = (typeof ENDS)[number];

/** `driver`: the holder of the lease at that moment. */
export type By = PlayerName | 'driver';

export const LEASE_REQUESTS = ['take', 'request', 'grant', 'deny', 'hand-back', 'release'] as const;

export type ModelStep =
  | {
      readonly do: 'lease-request';
      readonly by: By;
      readonly request: (typeof LEASE_REQUESTS)[number];
      readonly scope: 'session' | 'tab';
    }
  | { readonly do: 'hand over'; readonly by: By; readonly to: PlayerName }
  | { readonly do: 'click'; readonly by: By; readonly epoch: 'none' | 'now' | 'stale' }
  | { readonly do: 'type'; readonly by: By; readonly slowly: boolean; readonly where: 'field' | 'focus' }
  /** Releases the lease `ms` after its first key and takes it again, which is another epoch. */
  | { readonly do: 'type and regain'; readonly by: By; readonly ms: number }
  | { readonly do: 'batch'; readonly by: By }
  | { readonly do: 'again'; readonly by: By }
  | { readonly do: 'key'; readonly by: ConnectedName | 'driver'; readonly epoch: 'now' | 'stale' }
  /** Presses keys and the pointer's button without releasing them. */
  | { readonly do: 'hold'; readonly by: ConnectedName | 'driver'; readonly keys: number }
  /** Acts at the moment when it gets the lease next. */
  | { readonly do: 'wait for it'; readonly by: PlayerName; readonly act: 'type' | 'key' }
  | { readonly do: 'drop' | 'reconnect'; readonly by: ConnectedName }
  | { readonly do: 'revoke' }
  | { readonly do: 'end'; readonly of: PersonName; readonly what: End }
  | { readonly do: 'crash' }
  /** Waits until the page does something next, and a little longer. */
  | { readonly do: 'look'; readonly ms: number }
  | { readonly do: 'pass'; readonly ms: number };

const anybody = fc.constantFrom(...PLAYERS);
const driver = fc.constant('driver' as const);
const by: fc.Arbitrary<By> = fc.oneof({ weight: 2, arbitrary: driver }, { weight: 3, arbitrary: anybody });
const hand: fc.Arbitrary<ConnectedName | 'driver'> = fc.oneof(
  { weight: 2, arbitrary: driver },
  { weight: 3, arbitrary: fc.constantFrom(...CONNECTED) },
);

/** Weighted so that the lease changes hands often while something is under way. */
export const modelStep: fc.Arbitrary<ModelStep> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('lease-request' as const),
      by,
      request: fc.constantFrom(...LEASE_REQUESTS, 'take' as const, 'take' as const),
      scope: fc.constantFrom('session' as const, 'tab' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('hand over' as const), by, to: anybody }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('click' as const),
      by,
      epoch: fc.constantFrom('none' as const, 'now' as const, 'stale' as const),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('type' as const),
      by,
      slowly: fc.boolean(),
      where: fc.constantFrom('field' as const, 'focus' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('type and regain' as const), by, ms: fc.nat(60) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('batch' as const), by }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('again' as const), by }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('key' as const),
      by: hand,
      epoch: fc.constantFrom('now' as const, 'now' as const, 'stale' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('hold' as const), by: hand, keys: fc.nat(6) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('wait for it' as const),
      by: anybody,
      act: fc.constantFrom('type' as const, 'key' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('drop' as const, 'reconnect' as const, 'reconnect' as const),
      by: fc.constantFrom(...CONNECTED),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'revoke' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      of: fc.constantFrom(...PEOPLE),
      what: fc.constantFrom(...ENDS),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'crash' as const }) },
  { weight: 10, arbitrary: fc.record({ do: fc.constant('look' as const), ms: fc.nat(20) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.nat(150) }) },
);
