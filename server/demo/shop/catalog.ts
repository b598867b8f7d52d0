import type { PictureName } from '@/server/demo/art/pictures';

type Department = 'plants' | 'pots';
export type Light = 'low' | 'medium' | 'bright';

export interface Product {
  /** Last part of the address, and the name of the picture. */
  readonly slug: PictureName;
  readonly department: Department;
  readonly name: string;
  readonly tagline: string;
  readonly description: string;
  /** Pence, for the smallest size. */
  readonly price: number;
  readonly light: Light;
  readonly petSafe: boolean;
  readonly care: string;
}

export interface Size {
  readonly id: string;
  readonly label: string;
  /** Pence on top of the product's price. */
  readonly extra: number;
}

export const SIZES: readonly [Size, Size, Size] = [
  { id: 'small', label: 'Small, 12 cm', extra: 0 },
  { id: 'medium', label: 'Medium, 17 cm', extra: 800 },
  { id: 'large', label: 'Large, 24 cm', extra: 2_000 },
];

export const PRODUCTS: readonly Product[] = [
  {
    slug: 'monstera',
    department: 'plants',
    name: 'Monstera deliciosa',
    tagline: 'The one with the windows',
    price: 2_400,
    light: 'medium',
    petSafe: false,
    description:
      'Big glossy leaves that split as they grow. Easy to please, quick to fill a corner, and happy to be forgotten for a week.',
    care: 'Water when the top of the soil is dry',
  },
  {
    slug: 'snake-plant',
    department: 'plants',
    name: 'Snake plant',
    tagline: 'Thrives on neglect',
    price: 1_800,
    light: 'low',
    petSafe: false,
    description:
      'Upright, striped and nearly impossible to kill. It copes with dark hallways, dry air and long holidays.',
    care: 'Water every three weeks',
  },
  {
    slug: 'boston-fern',
    department: 'plants',
    name: 'Boston fern',
    tagline: 'Soft, full and very green',
    price: 1_650,
    light: 'medium',
    petSafe: true,
    description: 'A generous cloud of fronds for bathrooms and shady shelves. It loves damp air and a weekly shower.',
    care: 'Keep the soil moist',
  },
  {
    slug: 'fiddle-leaf-fig',
    department: 'plants',
    name: 'Fiddle-leaf fig',
    tagline: 'A small tree for a bright room',
    price: 3_600,
    light: 'bright',
    petSafe: false,
    description: 'Tall, sculptural and a little particular: find it a bright spot, then leave it where it is.',
    care: 'Water once a week',
  },
  {
    slug: 'rubber-plant',
    department: 'plants',
    name: 'Rubber plant',
    tagline: 'Dark leaves, red new growth',
    price: 2_200,
    light: 'medium',
    petSafe: false,
    description: 'Deep green, almost black leaves with a red spine. It grows straight up and asks for very little.',
    care: 'Water when the top of the soil is dry',
  },
  {
    slug: 'peace-lily',
    department: 'plants',
    name: 'Peace lily',
    tagline: 'Flowers in the shade',
    price: 1_950,
    light: 'low',
    petSafe: false,
    description:
      'White flowers above dark leaves, even far from the window. It droops when thirsty and forgives you in an hour.',
    care: 'Water when it droops',
  },
  {
    slug: 'aloe-vera',
    department: 'plants',
    name: 'Aloe vera',
    tagline: 'Sun, sand and patience',
    price: 1_250,
    light: 'bright',
    petSafe: false,
    description: 'A desert plant for the sunniest sill. Water it well, then let it dry out completely.',
    care: 'Water every three weeks',
  },
  {
    slug: 'string-of-pearls',
    department: 'plants',
    name: 'String of pearls',
    tagline: 'Beads that trail from a shelf',
    price: 1_500,
    light: 'bright',
    petSafe: false,
    description: 'Hundreds of little green beads on threads that grow a metre long. Hang it high and in good light.',
    care: 'Water every two weeks',
  },
  {
    slug: 'terracotta-pot',
    department: 'pots',
    name: 'Terracotta pot',
    tagline: 'Classic, breathing clay',
    price: 900,
    light: 'medium',
    petSafe: true,
    description: 'Unglazed clay that lets roots breathe and ages beautifully. With a drainage hole and a saucer.',
    care: 'Rinse with water',
  },
  {
    slug: 'stoneware-planter',
    department: 'pots',
    name: 'Stoneware planter',
    tagline: 'Speckled and heavy',
    price: 2_800,
    light: 'medium',
    petSafe: true,
    description: 'Thrown by hand, glazed in speckled chalk, and heavy enough to hold a tall plant upright.',
    care: 'Wipe with a damp cloth',
  },
  {
    slug: 'hanging-planter',
    department: 'pots',
    name: 'Hanging planter',
    tagline: 'Sage glaze, cotton cord',
    price: 2_100,
    light: 'bright',
    petSafe: true,
    description: 'A shallow bowl on three cotton cords, with a hook for the ceiling. Made for anything that trails.',
    care: 'Wipe with a damp cloth',
  },
  {
    slug: 'round-pot',
    department: 'pots',
    name: 'Round pot',
    tagline: 'A warm ochre belly',
    price: 1_600,
    light: 'medium',
    petSafe: true,
    description: 'A round pot in an ochre glaze that looks good even while you wait for the plant.',
    care: 'Wipe with a damp cloth',
  },
];

export interface Filter {
  /** Search words; empty for all products. */
  readonly query: string;
  readonly department: Department | undefined;
  readonly light: Light | undefined;
  /** Most to pay, in pence. */
  readonly atMost: number | undefined;
  readonly petSafe: boolean;
  readonly sort: 'name' | 'cheapest' | 'dearest';
}

export function findProduct(slug: string): Product | undefined {
  return PRODUCTS.find((product) => product.slug === slug);
}

export function findSize(id: string): Size | undefined {
  return SIZES.find((size) => size.id === id);
}

/** The products that match the whole filter, in the requested order. */
export function filterProducts(filter: Filter): readonly Product[] {
  const words = filter.query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const found = PRODUCTS.filter((product) => fits(product, filter) && hasWords(product, words));
  return found.toSorted(ORDER[filter.sort]);
}

const ORDER: Readonly<Record<Filter['sort'], (a: Product, b: Product) => number>> = {
  name: (a, b) => a.name.localeCompare(b.name, 'en'),
  cheapest: (a, b) => a.price - b.price,
  dearest: (a, b) => b.price - a.price,
};

function fits(product: Product, filter: Filter): boolean {
  if (filter.department !== undefined && product.department !== filter.department) return false;
  if (filter.light !== undefined && product.light !== filter.light) return false;
  if (filter.atMost !== undefined && product.price > filter.atMost) return false;
  return !filter.petSafe || product.petSafe;
}

function hasWords(product: Product, words: readonly string[]): boolean {
  const text = `${product.name} ${product.tagline} ${product.description} ${product.department}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** `1250` becomes `£12.50`, `2400` becomes `£24`. */
export function money(pence: number): string {
  const pounds = pence / 100;
  return `£${Number.isInteger(pounds) ? pounds : pounds.toFixed(2)}`;
}
