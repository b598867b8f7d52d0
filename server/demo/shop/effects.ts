/** Counts what the shop has done, for tests that check that an action takes effect exactly once. */

const EFFECTS = [
  'searches',
  'addToCart',
  'changeQuantity',
  'removeFromCart',
  'orderAttempts',
  'ordersRejected',
  'orders',
  'helpfulVotes',
  'playgroundClicks',
] as const;
type Effect = (typeof EFFECTS)[number];

export interface Effects {
  add(effect: Effect): void;
  counts(): Readonly<Record<Effect, number>>;
}

export function createEffects(): Effects {
  const counts: Record<Effect, number> = {
    searches: 0,
    addToCart: 0,
    changeQuantity: 0,
    removeFromCart: 0,
    orderAttempts: 0,
    ordersRejected: 0,
    orders: 0,
    helpfulVotes: 0,
    playgroundClicks: 0,
  };
  return {
    add: (effect) => {
      counts[effect] += 1;
    },
    counts: () => ({ ...counts }),
  };
}
