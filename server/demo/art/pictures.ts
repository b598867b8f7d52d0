import { aloe, fern, fig, monstera, peaceLily, pearls, rubberPlant, snakePlant } from '@/server/demo/art/foliage';
import { placed } from '@/server/demo/art/paths';

/** Pots with their rim at y = 262 and their foot at y = 352, seen from the front. */

interface Glaze {
  readonly body: string;
  readonly shade: string;
  readonly rim: string;
}

const GLAZES = {
  terracotta: { body: '#c9744f', shade: '#b66543', rim: '#d58763' },
  chalk: { body: '#f3eee3', shade: '#e2dacb', rim: '#fbf8f1' },
  sage: { body: '#a9bda6', shade: '#98ad95', rim: '#bccdb9' },
  slate: { body: '#5f6f73', shade: '#536266', rim: '#74858a' },
  ochre: { body: '#d9a75a', shade: '#c8964a', rim: '#e5bb78' },
  blush: { body: '#e0b3a2', shade: '#d1a18f', rim: '#eac7b9' },
} as const satisfies Record<string, Glaze>;

type GlazeName = keyof typeof GLAZES;

/** The picture of each product, drawn here in SVG, so that the shop needs neither files nor the internet. */

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

/** The classic flower pot: a collar over a tapering body. */
function flowerPot(name: GlazeName): string {
  const glaze = GLAZES[name];
  return `<path d="M146 280H254L240 352H160Z" fill="${glaze.body}"/><path d="M214 280H254L240 352H208Z" fill="${glaze.shade}"/><rect x="138" y="260" width="124" height="24" rx="4" fill="${glaze.rim}"/><path d="M146 284H254V288H146.8Z" fill="#000" opacity=".1"/>`;
}

/** A straight cylinder, as glazed planters are. */
function cylinderPot(name: GlazeName): string {
  const glaze = GLAZES[name];
  return `<path d="M144 262H256V338Q256 352 242 352H158Q144 352 144 338Z" fill="${glaze.body}"/><path d="M216 262H256V338Q256 352 242 352H216Z" fill="${glaze.shade}"/><rect x="140" y="258" width="120" height="12" rx="6" fill="${glaze.rim}"/>`;
}

/** A round belly on a small foot. */
function roundPot(name: GlazeName): string {
  const glaze = GLAZES[name];
  return `<path d="M158 262H242C276 288 268 344 232 352H168C132 344 124 288 158 262Z" fill="${glaze.body}"/><path d="M226 262H242C276 288 268 344 232 352H216C244 334 246 286 226 262Z" fill="${glaze.shade}"/><rect x="152" y="256" width="96" height="12" rx="6" fill="${glaze.rim}"/>`;
}

/** A bowl on three cords, its rim at y = 210. */
function hangingBowl(name: GlazeName): string {
  const glaze = GLAZES[name];
  return `<g stroke="#a58f72" stroke-width="2.5" fill="none"><path d="M200 20L126 206"/><path d="M200 20L274 206"/><path d="M200 20V200"/></g><circle cx="200" cy="20" r="7" fill="none" stroke="#a58f72" stroke-width="3"/><path d="M120 206H280C280 252 244 284 200 284S120 252 120 206Z" fill="${glaze.body}"/><path d="M224 206H280C280 252 244 284 200 284C226 264 232 236 224 206Z" fill="${glaze.shade}"/><rect x="114" y="198" width="172" height="14" rx="7" fill="${glaze.rim}"/>`;
}

/** Speckles of a stoneware glaze, always the same ones. */
function speckles(): string {
  const spots: string[] = [];
  for (let i = 0; i < 34; i += 1) {
    const x = 150 + ((i * i * 29 + i * 61) % 100);
    const y = 276 + ((i * i * 17 + i * 43) % 70);
    spots.push(`<circle cx="${x}" cy="${y}" r="${i % 3 === 0 ? 1.8 : 1.1}" fill="#7d6f5c" opacity=".5"/>`);
  }
  return spots.join('');
}
