import { aloe, fern, fig, monstera, peaceLily, pearls, rubberPlant, snakePlant } from '@/server/demo/art/foliage';
import { placed } from '@/server/demo/art/paths';
import { cylinderPot, flowerPot, hangingBowl, roundPot, speckles } from '@/server/demo/art/pots';

/** The picture of each product: drawn here in SVG, so that the shop needs neither files nor the internet. */

interface Drawing {
  readonly back: string;
  readonly foliage: string;
  readonly pot: string;
}

const SHADOW = '<ellipse cx="200" cy="354" rx="92" ry="9" fill="#22302a" opacity=".12"/>';

const DRAWINGS = {
  monstera: { back: '#e6efe4', foliage: monstera(), pot: cylinderPot('chalk') },
  'snake-plant': { back: '#f0ece0', foliage: snakePlant(), pot: flowerPot('terracotta') },
  'boston-fern': { back: '#e9efe9', foliage: fern(), pot: roundPot('blush') },
  'fiddle-leaf-fig': { back: '#f4ebe3', foliage: fig(), pot: cylinderPot('sage') },
  'rubber-plant': { back: '#efe6e1', foliage: rubberPlant(), pot: roundPot('chalk') },
  'peace-lily': { back: '#dfe9e4', foliage: peaceLily(), pot: cylinderPot('slate') },
  'aloe-vera': { back: '#f3efdf', foliage: aloe(), pot: flowerPot('ochre') },
  'string-of-pearls': { back: '#ebe9f0', foliage: '', pot: hangingBowl('ochre') + pearls() },
  'terracotta-pot': { back: '#f4e8df', foliage: '', pot: flowerPot('terracotta') },
  'stoneware-planter': { back: '#ecebe4', foliage: '', pot: cylinderPot('chalk') + speckles() },
  'hanging-planter': { back: '#e8edea', foliage: '', pot: hangingBowl('sage') },
  'round-pot': { back: '#f1e9e6', foliage: '', pot: roundPot('ochre') },
} as const satisfies Record<string, Drawing>;

export type PictureName = keyof typeof DRAWINGS;

const HANGING: ReadonlySet<string> = new Set(['string-of-pearls', 'hanging-planter']);
const BARE: ReadonlySet<string> = new Set(['terracotta-pot', 'stoneware-planter', 'round-pot']);

export function isPictureName(name: string): name is PictureName {
  return Object.hasOwn(DRAWINGS, name);
}

/** A whole SVG document of one product, 400 x 400. */
export function productPicture(name: PictureName): string {
  const drawing: Drawing = DRAWINGS[name];
  const ground = HANGING.has(name) ? '' : SHADOW;
  const content = drawing.foliage + drawing.pot;
  const scene = BARE.has(name)
    ? `<g transform="translate(-120 -266) scale(1.6)">${ground}${content}</g>`
    : ground + content;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400"><rect width="400" height="400" fill="${drawing.back}"/><circle cx="200" cy="196" r="150" fill="#fff" opacity=".4"/>${scene}</svg>`;
}

const SHELF = [
  { name: 'snake-plant', x: 20, scale: 0.82 },
  { name: 'boston-fern', x: 190, scale: 0.78 },
  { name: 'monstera', x: 366, scale: 1 },
  { name: 'aloe-vera', x: 560, scale: 0.66 },
] as const;

/** The shelf of the home page; the leaves carry the class that the style sheet moves. */
export function shelfPicture(): string {
  const plants = SHELF.map(({ name, x, scale }, index) => {
    const { foliage, pot } = DRAWINGS[name];
    const parts = `${SHADOW}<g class="sway sway-${index % 2}">${foliage}</g>${pot}`;
    return `<g transform="translate(${x} ${376 - 354 * scale}) scale(${scale})">${parts}</g>`;
  });
  const snapshotCache =
    '<rect x="0" y="376" width="820" height="14" rx="4" fill="#c8a27a"/><rect x="0" y="386" width="820" height="6" rx="3" fill="#a98460"/>';
  return `<svg viewBox="0 0 820 392" aria-hidden="true" focusable="false"><circle cx="650" cy="110" r="74" fill="#f6dfae"/>${snapshotCache}${plants.join('')}</svg>`;
}

export function favicon(): string {
  const leaves =
    placed(16, 27, -24, '<path d="M0 0C9-5 8-16 0-22C-8-16-9-5 0 0Z" fill="#fff"/>') +
    placed(16, 27, 28, '<path d="M0 0C7-4 6-13 0-18C-6-13-7-4 0 0Z" fill="#bfe0cb"/>');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f6b4a"/>${leaves}</svg>`;
}
