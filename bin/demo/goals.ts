/** A purchase of the demo agent. Each round takes the next one. */

export interface Goal {
  /** The words for the search box. */
  readonly search: string;
  /** Name of the product, as in its link. */
  readonly product: string;
  /** Last part of the product's address. */
  readonly slug: string;
  /** Beginning of the label of the size. */
  readonly size: string;
  readonly delivery: string;
  readonly gift: boolean;
  readonly buyer: Buyer;
}

interface Buyer {
  readonly name: string;
  readonly email: string;
  readonly street: string;
  readonly city: string;
  readonly postcode: string;
  readonly country: string;
}

const GOALS: readonly [Goal, ...Goal[]] = [
  {
    search: 'monstera',
    product: 'Monstera deliciosa',
    slug: 'monstera',
    size: 'Medium',
    delivery: 'Express',
    gift: false,
    buyer: {
      name: 'Lin Yue',
      email: 'lin@example.org',
      street: '12 Harbour Road',
      city: 'Bristol',
      postcode: 'BS1 4QA',
      country: 'United Kingdom',
    },
  },
  {
    search: 'fern',
    product: 'Boston fern',
    slug: 'boston-fern',
    size: 'Small',
    delivery: 'Standard',
    gift: true,
    buyer: {
      name: 'Marta Keane',
      email: 'marta@example.org',
      street: '4 Quay Street',
      city: 'Galway',
      postcode: 'H91 E9KA',
      country: 'Ireland',
    },
  },
  {
    search: 'clay',
    product: 'Terracotta pot',
    slug: 'terracotta-pot',
    size: 'Large',
    delivery: 'Pick up',
    gift: false,
    buyer: {
      name: 'Jonas Thiel',
      email: 'jonas@example.org',
      street: 'Gartenweg 7',
      city: 'Bremen',
      postcode: '28195',
      country: 'Germany',
    },
  },
  {
    search: 'desert',
    product: 'Aloe vera',
    slug: 'aloe-vera',
    size: 'Small',
    delivery: 'Standard',
    gift: false,
    buyer: {
      name: 'Noor de Wit',
      email: 'noor@example.org',
      street: 'Lindelaan 22',
      city: 'Utrecht',
      postcode: '3512 AB',
      country: 'Netherlands',
    },
  },
];

/** The goal of a round, counted from 0; after the last goal the first comes again. */
export function goalOf(round: number): Goal {
  return GOALS[round % GOALS.length] ?? GOALS[0];
}

/** `2026-12-24`: the day `days` after `now`. */
export function dayAfter(now: Date, days: number): string {
  return new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10);
}
